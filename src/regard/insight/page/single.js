// What a page in one file does: read the data that stand in it, and show them; of several models, side by side.
const data = JSON.parse(document.getElementById("data").textContent);
for (const part of data.models ?? [data]) {
  const place = document.createElement("div");
  document.getElementById("attention").append(place);
  mount(place, await unpack(part), data.options);
}
