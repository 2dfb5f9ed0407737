// What a page in one file does: read the data that stand in it, and show them.
const data = JSON.parse(document.getElementById("data").textContent);
mount(document.getElementById("attention"), await unpack(data), data.options);
