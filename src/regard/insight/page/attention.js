// Attention as a part of a page: heat map, alignment lines, overview, highlighted text.
//
//   const shown = mount(element, await unpack(data), {language: "ko", theme: "dark"});
//
// data: {name, source, target or change, view, row, threshold, levels: [{name, maps: [{path, kind, layer, head, rows, columns, weights}]}]}
//       weights is (rows, columns) as lists; `unpack` fills it in where it stands in data.packed.
//       A level "change" has signed weights, and null where only one side has the word; `change` is its word
//       diff, as [sign, word].
// Words come from outside: they are only ever set as textContent. Nothing is loaded, nothing is stored.

export const MOST_LINES = 400;
export const RAMPS = {
  light: [[247, 251, 255], [222, 235, 247], [198, 219, 239], [158, 202, 225], [107, 174, 214],
    [66, 146, 198], [33, 113, 181], [8, 81, 156], [8, 48, 107]],
  dark: [[16, 27, 41], [19, 43, 70], [22, 62, 103], [25, 84, 138], [40, 110, 172],
    [74, 140, 200], [118, 172, 222], [168, 205, 240], [222, 238, 255]],
};
export const SIGNED_RAMPS = {
  light: [[103, 0, 31], [178, 24, 43], [214, 96, 77], [244, 165, 130], [253, 219, 199], [247, 247, 247],
    [209, 229, 240], [146, 197, 222], [67, 147, 195], [33, 102, 172], [5, 48, 97]],
  dark: [[255, 200, 180], [240, 140, 115], [190, 80, 65], [120, 45, 42], [60, 28, 33], [22, 27, 34],
    [20, 44, 72], [25, 84, 138], [60, 130, 190], [130, 180, 228], [222, 238, 255]],
};

const ROUNDING = 1e-4; // sums of 32-bit weights are nearer to 1 than this
const NONE = {light: [221, 221, 221], dark: [60, 66, 74]}; // where there is nothing to subtract

export const STRINGS = {
  en: {
    heat: "Heat map", lines: "Lines", overview: "Overview", text: "Text", views: "View",
    level: "Unit", state: "Before and after", before: "before", after: "after", change: "after − before",
    words: "words", tokens: "tokens", morphemes: "morphemes", kind: "Attention",
    layer: "Layer", head: "Head", mean: "mean", max: "maximum", threshold: "Threshold", language: "Language",
    sum: "Sum", hiddenTotal: "below the threshold: {0} of the weight",
    cell: "{0} ← {1}: {2}", row: "row sum {0}", hiddenOf: "below the threshold {0}", pinned: "Pinned: {0}",
    linksOfRow: "{0} ← {1}", linksOfColumn: "{0} → {1}", nothing: "nothing above the threshold",
    special: "special tokens {0}", missing: "Missing", missingOf: "outside of the window or removed by an edit {0}",
    grid: "Attention weights; rows: {0}, columns: {1}",
    output: "output", input: "input", decoderInput: "decoder input", hops: "hops",
    cut: "the {0} strongest of {1} lines are drawn", shadeFor: "Row", strongest: "strongest: {0}",
    scale: "one scale for all, from 0 to {0}", numbers: "Numbers as a table",
    keys: "Arrow keys move, Enter pins, Esc unpins.", open: "layer {0}, head {1}",
    oneSide: "on one side only", rowsAndColumns: "rows: {0}, columns: {1}",
    crossName: "cross-attention", encoderSelfName: "encoder self-attention", decoderSelfName: "decoder self-attention",
    hopsName: "attention hops", memoryName: "memory attention",
    layerIs: "layer {0}", headIs: "head {0}", meanOf: "mean of {0}", maxOf: "maximum of {0}",
    layers: "{0} layers", heads: "{0} heads", both: "{0} and {1}",
  },
  ko: {
    heat: "히트맵", lines: "연결선", overview: "전체 보기", text: "텍스트", views: "보기",
    level: "단위", state: "전후 비교", before: "전", after: "후", change: "후 − 전",
    words: "단어", tokens: "토큰", morphemes: "형태소", kind: "어텐션",
    layer: "레이어", head: "헤드", mean: "평균", max: "최댓값", threshold: "임계값", language: "언어",
    sum: "합", hiddenTotal: "임계값 미만인 가중치의 비율: {0}",
    cell: "{0} ← {1}: {2}", row: "행의 합 {0}", hiddenOf: "임계값 미만 {0}", pinned: "고정: {0}",
    linksOfRow: "{0} ← {1}", linksOfColumn: "{0} → {1}", nothing: "임계값을 넘는 가중치 없음",
    special: "특수 토큰 {0}", missing: "빠진 비율", missingOf: "윈도 밖이거나 편집으로 제거된 비율 {0}",
    grid: "어텐션 가중치, 행: {0}, 열: {1}",
    output: "출력", input: "입력", decoderInput: "디코더 입력", hops: "홉",
    cut: "선 {1}개 중 가장 강한 {0}개만 표시", shadeFor: "행", strongest: "최댓값: {0}",
    scale: "모두 같은 척도, 0부터 {0}까지", numbers: "숫자 표",
    keys: "화살표 키로 이동, Enter로 고정, Esc로 해제합니다.", open: "레이어 {0}, 헤드 {1}",
    oneSide: "한쪽에만 있는 단어", rowsAndColumns: "행: {0}, 열: {1}",
    crossName: "크로스 어텐션", encoderSelfName: "인코더 셀프 어텐션", decoderSelfName: "디코더 셀프 어텐션",
    hopsName: "어텐션 홉", memoryName: "메모리 어텐션",
    layerIs: "레이어 {0}", headIs: "헤드 {0}", meanOf: "{0}의 평균", maxOf: "{0}의 최댓값",
    layers: "레이어 {0}개", heads: "헤드 {0}개", both: "{0}와 {1}",
  },
};

// Kinds of attention, those that say most about an output first, with the names of their rows and columns.
const KINDS = {
  cross: ["crossName", "output", "input"],
  hops: ["hopsName", "hops", "input"],
  "decoder-self": ["decoderSelfName", "decoderInput", "decoderInput"],
  "encoder-self": ["encoderSelfName", "input", "input"],
  memory: ["memoryName", "input", "input"],
};

const SVG = "http://www.w3.org/2000/svg";
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu;
const BEFORE_JOINER = /[\p{So}↔][\ufe0e\ufe0f\u{1f3fb}-\u{1f3ff}]*$/u;
const AFTER_JOINER = /^[\p{So}↔]/u;
let mounted = 0;

/** What has no shape of its own, or would turn the writing direction, by its code: <U+200B>. What joins emoji stays. */
export function visible(text) {
  const code = (char) => `<U+${char.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}>`;
  return text.normalize("NFC").replace(UNSEEN, (char, place, all) =>
    char === "\u200d" && BEFORE_JOINER.test(all.slice(0, place)) && AFTER_JOINER.test(all.slice(place + 1)) ? char : code(char));
}

/** The colour of a weight from 0 to 1, or signed from -1 to 1, as [red, green, blue]. */
export function colourOf(weight, theme, signed = false) {
  const ramp = (signed ? SIGNED_RAMPS : RAMPS)[theme];
  const place = Math.min(1, Math.max(0, signed ? (weight + 1) / 2 : weight)) * (ramp.length - 1);
  const below = Math.min(ramp.length - 2, Math.floor(place));
  return ramp[below].map((value, i) => Math.round(value + (place - below) * (ramp[below + 1][i] - value)));
}

/** Fill in the weights and labels of a file: fixed-point numbers, byte planes, deflated, base64. */
export async function unpack(data) {
  if (!data.packed) return data;
  const packed = Uint8Array.from(atob(data.packed.deflated), (char) => char.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const count = bytes.length / 4;
  let next = 0;
  const take = (rows, columns) => Array.from({length: rows}, () => Array.from({length: columns}, () => {
    const i = next++;
    const fixed = bytes[i] | bytes[count + i] << 8 | bytes[2 * count + i] << 16 | bytes[3 * count + i] << 24;
    return fixed === -(2 ** 31) ? null : fixed * data.packed.unit;
  }));
  const levels = data.levels.map((level) => ({...level, maps: level.maps.map((map) => {
    const rows = data.packed.labels[map.rows];
    const columns = data.packed.labels[map.columns];
    return {...map, rows, columns, weights: take(rows.length, columns.length)};
  })}));
  return {...data, levels, packed: undefined};
}

/** Draw `data` into `element`. options: {language: "en"|"ko", theme: "auto"|"light"|"dark"} */
export function mount(element, data, options = {}) {
  const id = `regard-${++mounted}`;
  const language = options.language ?? (navigator.language?.startsWith("ko") ? "ko" : "en");
  const state = {
    language, view: data.view ?? "heat", level: 0, kind: null, layer: null, head: null,
    threshold: null, row: 0, column: 0, pin: null, shaded: data.row ?? -1,
  };
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const theme = () => options.theme && options.theme !== "auto" ? options.theme : dark.matches ? "dark" : "light";
  const say = (key, ...values) =>
    STRINGS[state.language][key].replace(/\{(\d)\}/g, (_, place) => String(values[Number(place)]));

  const root = make("section", "regard-attention");
  const texts = make("p", "regard-texts");
  const tools = make("div", "regard-tools");
  const tabs = make("div", "regard-tabs", {role: "tablist"});
  const panel = make("div", "regard-panel", {role: "tabpanel", id: `${id}-panel`});
  const status = make("p", "regard-status", {role: "status", "aria-live": "polite"});
  const pinned = make("p", "regard-pinned");
  const total = make("p", "regard-total");
  const details = make("details", "regard-numbers");
  const caption = make("p", "regard-caption regard-note");
  root.append(texts, tools, tabs, caption, status, pinned, panel, total, details);
  element.replaceChildren(root);

  // ---- What is shown: one matrix, chosen or put together from many.

  const unique = (values) => [...new Set(values)];
  const maps = () => {
    const all = data.levels[state.level].maps;
    const kinds = unique(all.map((map) => map.kind));
    if (!kinds.includes(state.kind)) state.kind = Object.keys(KINDS).find((kind) => kinds.includes(kind));
    return all.filter((map) => map.kind === state.kind);
  };
  const layerOf = (map) => map.layer ?? map.path;
  const headOf = (map) => map.head ?? 0;
  // What a row lacks to 1, (rows, 1): outside of a window, or removed by an edit. Special tokens that are not shown are there.
  const lacksOf = (map) => map.weights.map((row, y) => [1 - row.reduce((a, b) => a + b, 0) - (map.hidden?.[y] ?? 0)]);
  function combine(matrices, how) {
    if (matrices.length === 1) return matrices[0];
    return matrices[0].map((row, y) => row.map((_, x) => {
      const values = matrices.map((matrix) => matrix[y][x]);
      return how === "max" ? Math.max(...values) : values.reduce((a, b) => a + b, 0) / values.length;
    }));
  }

  function chosen() {
    const all = maps();
    const layers = unique(all.map(layerOf));
    const heads = unique(all.map(headOf)).sort((a, b) => a - b);
    for (const [name, values] of [["layer", layers], ["head", heads]]) { // the mean, as in all other pictures
      if (["mean", "max"].includes(state[name]) && values.length > 1 || values.includes(state[name])) continue;
      state[name] = values.length > 1 ? "mean" : values[0];
    }
    const overLayers = ["mean", "max"].includes(state.layer);
    const pick = (matrixOf) => {
      const part = (layer) => {
        const own = all.filter((map) => layerOf(map) === layer);
        const one = own.find((map) => headOf(map) === state.head);
        return one ? matrixOf(one) : combine(own.map(matrixOf), state.head);
      };
      return overLayers ? combine(layers.map(part), state.layer) : part(state.layer);
    };
    const weights = pick((map) => map.weights);
    const single = all.filter((map) => (overLayers || layerOf(map) === state.layer)
      && (["mean", "max"].includes(state.head) || headOf(map) === state.head));
    const special = single.length === 1 ? single[0].hidden ?? null : null;
    const signed = data.levels[state.level].name === "change";
    const mayLack = !signed && ![state.layer, state.head].includes("max"); // else a row need not sum to 1
    const lacks = mayLack ? pick(lacksOf).map(([lack]) => lack < ROUNDING ? 0 : lack) : [];
    const missing = lacks.some((lack) => lack) ? lacks : null;
    return {rows: all[0].rows, columns: all[0].columns, weights, special, missing, layers, heads, all, signed};
  }

  let now = chosen();
  const sumOf = (row) => now.weights[row].reduce((a, b) => a + b, 0);
  const isHidden = (weight) => Math.abs(weight) < state.threshold;
  const massOf = (row) => now.weights[row].reduce((a, b) => a + Math.abs(b), 0);
  const hiddenOf = (row) => now.weights[row].reduce((a, b) => a + (isHidden(b) ? Math.abs(b) : 0), 0);
  const sumNames = () => ["sum", ...(now.missing ? ["missing"] : [])];
  const sumsOf = (row) => [sumOf(row), ...(now.missing ? [now.missing[row]] : [])];
  const short = (value, digits = 3) => value.toFixed(digits).replace(/^-(?=0\.0*$)/, ""); // no -0.000
  const exact = (value) => value === null ? "–" : short(value, 6);

  // ---- The tools.

  function choice(name, values, current, change) {
    const label = make("label", `regard-choice regard-choice-${name}`);
    const select = make("select");
    for (const [value, text] of values) {
      const option = make("option", "", {value: String(value)}, text);
      option.selected = value === current;
      select.append(option);
    }
    select.addEventListener("change", () => change(values[select.selectedIndex][0]));
    label.append(make("span", "", {}, say(name)), select);
    return label;
  }

  // Before, after and their difference, small and side by side; the one that is chosen is drawn large.
  function states(levels) {
    const group = make("fieldset", "regard-states");
    group.append(make("legend", "", {}, say("state")));
    for (const [place, name] of levels) {
      const label = make("label");
      const button = make("input", "", {type: "radio", name: `${id}-state`, value: String(place)});
      button.checked = place === state.level;
      button.addEventListener("change", () => {
        Object.assign(state, {level: place, pin: null, shaded: -1});
        draw();
        tools.querySelector(".regard-states input:checked").focus();
      });
      const canvas = make("canvas", "", {"aria-hidden": "true"});
      paint(canvas, data.levels[place].maps[0].weights, 1, data.levels[place].name === "change");
      label.append(canvas, button, make("span", "", {}, name));
      group.append(label);
    }
    return group;
  }

  function drawTools() {
    tools.replaceChildren();
    const levels = data.levels.map((level, place) => [place, say(level.name)]);
    if (data.levels.some((level) => level.name === "change")) tools.append(states(levels));
    else if (levels.length > 1) {
      tools.append(choice("level", levels, state.level, (value) => {
        Object.assign(state, {level: value, pin: null, row: 0, column: 0, shaded: -1, threshold: null});
        draw();
      }));
    }
    const kinds = unique(data.levels[state.level].maps.map((map) => map.kind));
    if (kinds.length > 1) {
      tools.append(choice("kind", kinds.map((kind) => [kind, say(KINDS[kind][0])]), state.kind, (value) => {
        Object.assign(state, {kind: value, layer: null, head: null, pin: null, row: 0, column: 0, shaded: -1});
        draw();
      }));
    }
    const together = [["mean", say("mean")], ["max", say("max")]];
    const named = (value) => typeof value === "number" ? String(value) : visible(value);
    for (const [name, values] of [["layer", now.layers], ["head", now.heads]]) {
      if (values.length < 2) continue;
      const offered = [...together, ...values.map((value) => [value, named(value)])];
      tools.append(choice(name, offered, state[name], (value) => { state[name] = value; state.pin = null; draw(); }));
    }
    if (state.view === "lines") tools.append(thresholdChoice());
    tools.append(choice("language", [["en", "English"], ["ko", "한국어"]], state.language, (value) => {
      state.language = value;
      draw();
      tools.querySelector(".regard-choice-language select").focus();
    }));
  }

  // Below it a weight has no line; the other views show every weight.
  function thresholdChoice() {
    const label = make("label", "regard-choice regard-choice-threshold");
    const slider = make("input", "", {type: "range", min: "0", max: "1", step: "0.005"});
    slider.value = String(state.threshold);
    const shown = make("output", "", {}, state.threshold.toFixed(3));
    slider.addEventListener("input", () => {
      state.threshold = Number(slider.value);
      shown.textContent = state.threshold.toFixed(3);
      drawPanel();
    });
    label.append(make("span", "", {}, say("threshold")), slider, shown);
    return label;
  }

  function drawTabs() {
    tabs.replaceChildren();
    tabs.setAttribute("aria-label", say("views"));
    const rest = now.signed ? [] : ["lines", ...(now.all.length > 1 ? ["overview"] : []), "text"];
    const views = ["heat", ...rest];
    if (!views.includes(state.view)) state.view = "heat";
    for (const view of views) {
      const current = view === state.view;
      const tab = make("button", `regard-tab regard-tab-${view}`, {
        type: "button", role: "tab", id: `${id}-${view}`, "aria-selected": String(current),
        "aria-controls": `${id}-panel`, tabindex: current ? "0" : "-1",
      }, say(view));
      tab.addEventListener("click", () => show(view));
      tab.addEventListener("keydown", (event) => {
        const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
        if (step) show(views[(views.indexOf(view) + step + views.length) % views.length]);
      });
      tabs.append(tab);
    }
    panel.setAttribute("aria-labelledby", `${id}-${state.view}`);
  }

  function show(view) {
    state.view = view;
    draw();
    tabs.querySelector("[aria-selected=true]").focus();
  }

  // ---- What is told: of a cell, of a word, of what is hidden.

  const rowName = (row) => visible(now.rows[row]);
  const columnName = (column) => visible(now.columns[column]);
  // "output “sent”"; the label of a hop says what it is.
  const named = (key, label) => key === "hops" ? label : `${say(key)} “${label}”`;
  const rowTold = (row) => named(KINDS[state.kind][1], rowName(row));
  const columnTold = (column) => named(KINDS[state.kind][2], columnName(column));
  // "output words"
  const unit = () => now.all[0].unit ?? data.levels[state.level].name;
  const axis = (key) => key === "hops" ? say(key) : `${say(key)} ${say(unit())}`;
  const axes = () => KINDS[state.kind].slice(1).map(axis);

  // What is shown, in words: "cross-attention, mean of 6 layers and 8 heads; rows: output words, columns: input words".
  function summary() {
    const [name] = KINDS[state.kind];
    const parts = [say(name)];
    const how = [];
    for (const [key, values] of [["layer", now.layers], ["head", now.heads]]) {
      const value = state[key];
      if (["mean", "max"].includes(value)) how.push([value, say(`${key}s`, values.length)]);
      else if (values.length > 1 || typeof now.all[0][key] === "number") {
        parts.push(say(`${key}Is`, typeof value === "number" ? value : visible(value)));
      }
    }
    if (how.length === 2 && how[0][0] === how[1][0]) {
      parts.push(say(`${how[0][0]}Of`, say("both", how[0][1], how[1][1])));
    } else parts.push(...how.map(([value, of]) => say(`${value}Of`, of)));
    const {by, layers, heads} = now.all[0].reduced ?? {};
    if (by) { // put together before it came here
      const of = [[layers, "layers"], [heads, "heads"]].filter(([count]) => count > 1).map(([count, key]) => say(key, count));
      parts.push(say(`${by}Of`, of.length > 1 ? say("both", ...of) : of[0]));
    }
    return `${parts.join(", ")}; ${say("rowsAndColumns", ...axes())}`;
  }

  function told(row, column) {
    const cell = say("cell", rowTold(row), columnTold(column), exact(now.weights[row][column]));
    return `${cell} · ${toldOfRow(row)}`;
  }

  function toldOfRow(row) {
    const special = now.special ? `, ${say("special", exact(now.special[row]))}` : "";
    const missing = now.missing ? `, ${say("missingOf", exact(now.missing[row]))}` : "";
    const hidden = state.view === "lines" ? `, ${say("hiddenOf", exact(hiddenOf(row)))}` : "";
    return say("row", exact(sumOf(row))) + hidden + special + missing;
  }

  function tell() {
    status.textContent = state.view === "heat" ? told(state.row, state.column) : "";
    pinned.textContent = state.pin ? say("pinned", told(state.pin.row, state.pin.column)) : "";
    const all = now.rows.reduce((sum, _, row) => sum + massOf(row), 0);
    const hidden = now.rows.reduce((sum, _, row) => sum + hiddenOf(row), 0);
    const share = say("hiddenTotal", exact(all ? hidden / all : 0));
    total.textContent = {heat: say("keys"), lines: share}[state.view] ?? "";
  }

  // ---- Heat map: a canvas with a pixel for each weight; the words around it are text.

  function paint(canvas, weights, largest, signed = now.signed) {
    canvas.width = weights[0]?.length ?? 0;
    canvas.height = weights.length;
    if (!canvas.width || !canvas.height) return;
    const context = canvas.getContext("2d");
    const image = context.createImageData(canvas.width, canvas.height);
    weights.flat().forEach((weight, place) => {
      const colour = weight === null ? NONE[theme()] : colourOf(weight / largest, theme(), signed);
      image.data.set([...colour, 255], 4 * place);
    });
    context.putImageData(image, 0, 0);
  }

  // Which colour is which weight.
  function scale() {
    const line = make("p", "regard-scale regard-note");
    const canvas = make("canvas", "", {"aria-hidden": "true"});
    const low = now.signed ? -1 : 0;
    paint(canvas, [Array.from({length: 101}, (_, place) => low + (1 - low) * place / 100)], 1);
    line.append(make("span", "", {}, now.signed ? "−1" : "0"), canvas, make("span", "", {}, "1"));
    if (now.signed && now.weights.flat().includes(null)) {
      const grey = make("canvas", "regard-none", {"aria-hidden": "true"});
      paint(grey, [[null]], 1);
      line.append(grey, make("span", "", {}, say("oneSide")));
    }
    return line;
  }

  function drawHeat() {
    const size = now.columns.length > 24 ? 18 : 28;
    const heat = make("div", "regard-heat", {tabindex: "-1"});
    heat.style.setProperty("--cell", `${size}px`);
    const corner = () => make("div", "regard-corner");
    const top = make("div", "regard-columns");
    now.columns.forEach((_, x) => top.append(make("span", "", {title: columnName(x)}, columnName(x))));
    const left = make("div", "regard-rows");
    now.rows.forEach((_, y) => left.append(make("span", "", {title: rowName(y)}, rowName(y))));
    heat.style.setProperty("--sums", String(sumNames().length));
    const sums = make("div", "regard-sums");
    now.rows.forEach((_, y) => sums.append(...sumsOf(y).map((value) => make("span", "", {}, short(value)))));
    const heads = make("div", "regard-sums regard-sums-head");
    heads.append(...sumNames().map((name) => make("span", "", {}, say(name))));

    const box = make("div", "regard-cells", {
      role: "grid", "aria-label": say("grid", ...axes()),
      "aria-rowcount": String(now.rows.length), "aria-colcount": String(now.columns.length),
    });
    const canvas = make("canvas", "", {"aria-hidden": "true"});
    paint(canvas, now.weights, 1);
    canvas.style.width = `${size * now.columns.length}px`;
    canvas.style.height = `${size * now.rows.length}px`;
    const line = make("div", "", {role: "row"});
    const cursor = make("div", "regard-cursor", {role: "gridcell", tabindex: "0"});
    const pin = make("div", "regard-pin", {"aria-hidden": "true"});
    line.append(cursor);
    box.append(canvas, line, pin);

    const place = (mark, row, column) => { mark.style.transform = `translate(${column * size}px, ${row * size}px)`; };
    const refresh = () => {
      place(cursor, state.row, state.column);
      line.setAttribute("aria-rowindex", String(state.row + 1));
      cursor.setAttribute("aria-colindex", String(state.column + 1));
      cursor.setAttribute("aria-label", told(state.row, state.column));
      pin.hidden = !state.pin;
      if (state.pin) place(pin, state.pin.row, state.pin.column);
      [...left.children].forEach((word, y) => word.classList.toggle("regard-lit", y === state.row));
      [...top.children].forEach((word, x) => word.classList.toggle("regard-lit", x === state.column));
      tell();
    };
    const move = (row, column) => {
      state.row = Math.min(now.rows.length - 1, Math.max(0, row));
      state.column = Math.min(now.columns.length - 1, Math.max(0, column));
      refresh();
    };
    const under = (event) => {
      const from = canvas.getBoundingClientRect();
      return [Math.floor((event.clientY - from.top) / size), Math.floor((event.clientX - from.left) / size)];
    };
    const toggle = () => {
      const same = state.pin && state.pin.row === state.row && state.pin.column === state.column;
      state.pin = same ? null : {row: state.row, column: state.column};
      refresh();
    };
    box.addEventListener("pointermove", (event) => move(...under(event)));
    box.addEventListener("click", (event) => {
      move(...under(event));
      cursor.focus({preventScroll: true});
      toggle();
    });
    cursor.addEventListener("keydown", (event) => {
      const {row, column} = state;
      const last = [now.rows.length - 1, now.columns.length - 1];
      const steps = {
        ArrowUp: [row - 1, column], ArrowDown: [row + 1, column],
        ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1],
        Home: [event.ctrlKey ? 0 : row, 0], End: [event.ctrlKey ? last[0] : row, last[1]],
      };
      if (steps[event.key]) {
        move(...steps[event.key]);
        cursor.scrollIntoView({block: "nearest", inline: "nearest"});
      } else if (event.key === "Enter") toggle();
      else if (event.key === "Escape") { state.pin = null; refresh(); } else return;
      event.preventDefault();
    });
    heat.append(corner(), top, heads, left, box, sums);
    panel.replaceChildren(heat, scale());
    refresh();
  }

  // ---- Lines: columns on the left, rows on the right.

  function drawLines() {
    const size = 26;
    const tallest = Math.max(now.rows.length, now.columns.length);
    const lines = make("div", "regard-lines");
    const picture = document.createElementNS(SVG, "svg");
    picture.setAttribute("viewBox", `0 0 100 ${size * tallest}`);
    picture.setAttribute("preserveAspectRatio", "none");
    picture.setAttribute("aria-hidden", "true");
    picture.style.height = `${size * tallest}px`;
    const links = [];
    now.weights.forEach((row, y) => row.forEach((weight, x) => {
      if (weight >= state.threshold && weight > 0) links.push({y, x, weight});
    }));
    links.sort((a, b) => a.weight - b.weight); // the strongest last, on top
    const pathOf = (link) => {
      const path = document.createElementNS(SVG, "path");
      // The shorter side is spread over the height of the longer.
      const [from, to] = [(link.x + 0.5) / now.columns.length, (link.y + 0.5) / now.rows.length]
        .map((share) => share * tallest * size);
      path.setAttribute("d", `M0 ${from} C50 ${from} 50 ${to} 100 ${to}`);
      path.setAttribute("stroke", `rgb(${colourOf(0.3 + 0.7 * link.weight, theme()).join(" ")})`);
      path.setAttribute("stroke-width", String(0.6 + 5 * Math.min(1, link.weight)));
      path.setAttribute("data-weight", exact(link.weight));
      return path;
    };
    const drawn = links.slice(-MOST_LINES).map((link) => ({...link, path: pathOf(link)}));
    const others = links.slice(0, -MOST_LINES); // too many to draw at once; those of one word are drawn with it
    const added = document.createElementNS(SVG, "g");
    picture.append(...drawn.map((link) => link.path), added);

    const light = (side, place) => {
      const isOwn = (link) => (side === "column" ? link.x : link.y) === place;
      for (const link of drawn) link.path.classList.toggle("regard-dim", side !== null && !isOwn(link));
      added.replaceChildren(...(side === null ? [] : others.filter(isOwn).map(pathOf)));
      const weightOf = (other) => side === "column" ? now.weights[other][place] : now.weights[place][other];
      for (const [name, words] of [["column", left], ["row", right]]) {
        [...words.children].forEach((item, other) => {
          const own = name === side && other === place;
          const linked = side !== null && name !== side && weightOf(other) >= state.threshold && weightOf(other) > 0;
          item.firstChild.classList.toggle("regard-lit", own || linked);
        });
      }
      if (side === null) { status.textContent = ""; return; }
      const linked = (side === "column" ? now.rows : now.columns).map((label, other) => [visible(label), weightOf(other)])
        .filter(([, weight]) => weight >= state.threshold && weight > 0).sort((a, b) => b[1] - a[1])
        .map(([label, weight]) => `${label} ${exact(weight)}`).join(", ") || say("nothing");
      status.textContent = side === "column" ? say("linksOfColumn", columnTold(place), linked)
        : `${say("linksOfRow", rowTold(place), linked)} · ${toldOfRow(place)}`;
    };
    const list = (side, labels) => {
      const words = make("ol", `regard-words regard-words-${side}`, {"aria-label": axes()[side === "row" ? 0 : 1]});
      words.style.setProperty("--line", `${size * tallest / labels.length}px`);
      labels.forEach((label, place) => {
        const item = make("li");
        const shown = visible(label);
        const word = make("button", "", {type: "button", tabindex: place ? "-1" : "0", title: shown}, shown);
        word.addEventListener("pointerenter", () => light(side, place));
        word.addEventListener("focus", () => light(side, place));
        word.addEventListener("keydown", (event) => {
          const other = {ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: labels.length - 1}[event.key];
          const cross = {ArrowLeft: "column", ArrowRight: "row"}[event.key];
          if (event.key === "Escape") light(null, 0);
          else if (cross) {
            const words = cross === "column" ? left : right;
            words.children[Math.min(place, words.children.length - 1)].firstChild.focus();
          } else if (words.children[other]) words.children[other].firstChild.focus();
          else return;
          event.preventDefault();
        });
        item.append(word);
        words.append(item);
      });
      return words;
    };
    const left = list("column", now.columns);
    const right = list("row", now.rows);
    lines.append(left, picture, right);
    lines.addEventListener("pointerleave", () => light(null, 0));
    panel.replaceChildren(lines);
    if (links.length > MOST_LINES) {
      panel.append(make("p", "regard-note", {}, say("cut", MOST_LINES, links.length)));
    }
    tell();
  }

  // ---- Overview: every layer and head, small, on one scale.

  function drawOverview() {
    const grid = make("div", "regard-overview");
    const largest = Math.max(1e-9, ...now.all.map((map) => Math.max(...map.weights.map((row) => Math.max(0, ...row)))));
    for (const layer of now.layers) {
      const line = make("div", "regard-layer");
      const named = typeof layer === "number" ? layer : visible(layer);
      line.append(make("span", "", {}, `${say("layer")} ${named}`));
      const own = now.all.filter((map) => layerOf(map) === layer).sort((a, b) => headOf(a) - headOf(b));
      for (const map of own) {
        const button = make("button", "", {type: "button", "aria-label": say("open", named, headOf(map))});
        const canvas = make("canvas", "", {"aria-hidden": "true"});
        paint(canvas, map.weights, largest);
        button.append(canvas, make("span", "", {"aria-hidden": "true"}, String(headOf(map))));
        button.addEventListener("click", () => {
          Object.assign(state, {layer, head: headOf(map), pin: null});
          show("heat");
        });
        line.append(button);
      }
      grid.append(line);
    }
    panel.replaceChildren(grid, make("p", "regard-note", {}, say("scale", exact(largest))));
    tell();
  }

  // ---- Text: the columns, shaded for one row or for the mean.

  function drawText() {
    const words = [[-1, say("mean")], ...now.rows.map((_, y) => [y, rowName(y)])];
    const pick = choice("shadeFor", words, state.shaded, (value) => { state.shaded = value; drawText(); });
    const mean = now.columns.map((_, x) => now.weights.reduce((sum, row) => sum + row[x], 0) / now.rows.length);
    const weights = state.shaded < 0 ? mean : now.weights[state.shaded];
    const strongest = Math.max(...weights) || 1;
    const text = make("p", "regard-shaded");
    weights.forEach((weight, x) => {
      const colour = colourOf(weight / strongest, theme());
      const word = make("span", "", {title: exact(weight)}, columnName(x));
      word.append(make("small", "", {}, weight.toFixed(2)));
      word.style.backgroundColor = `rgb(${colour.join(" ")})`;
      word.style.color = inkOn(colour);
      word.addEventListener("pointerenter", () => { status.textContent = `${columnName(x)}: ${exact(weight)}`; });
      text.append(word, " ");
    });
    panel.replaceChildren(pick, text, make("p", "regard-note", {}, say("strongest", exact(strongest))));
    tell();
  }

  // ---- The same numbers as a table, made when it is opened.

  function drawTable() {
    const opened = details.open;
    details.replaceChildren(make("summary", "", {}, say("numbers")));
    if (!opened) return;
    const table = make("table");
    const head = make("tr");
    head.append(make("td"), ...now.columns.map((_, x) => make("th", "", {scope: "col"}, columnName(x))),
      ...sumNames().map((name) => make("th", "", {scope: "col"}, say(name))));
    table.append(head);
    now.weights.forEach((row, y) => {
      const line = make("tr");
      line.append(make("th", "", {scope: "row"}, rowName(y)), ...row.map((weight) => make("td", "", {}, exact(weight))),
        ...sumsOf(y).map((value) => make("td", "", {}, exact(value))));
      table.append(line);
    });
    details.append(table);
  }
  details.addEventListener("toggle", drawTable);

  function drawPanel() {
    caption.textContent = state.view === "overview" ? say("rowsAndColumns", ...axes()) : summary();
    ({heat: drawHeat, lines: drawLines, overview: drawOverview, text: drawText})[state.view]();
    drawTable();
  }

  function outcome() {
    const line = make("b");
    if (!data.change) line.textContent = visible(data.target ?? "");
    const tags = {"−": "del", "+": "ins", "": "span"};
    for (const [sign, word] of data.change ?? []) line.append(make(tags[sign], "", {}, visible(word)), " ");
    return line;
  }

  function draw() {
    now = chosen();
    state.row = Math.min(state.row, now.rows.length - 1);
    state.column = Math.min(state.column, now.columns.length - 1);
    // By default as much as an even row has, at most 0.05: so an even row is not hidden.
    state.threshold ??= data.threshold ?? Math.floor(200 * Math.min(0.05, 1 / now.columns.length)) / 200;
    root.lang = state.language;
    root.dataset.theme = theme();
    texts.replaceChildren(make("span", "", {}, visible(data.source ?? "")), outcome());
    if (data.name) texts.prepend(make("strong", "regard-name", {}, visible(data.name)));
    drawTabs();
    drawTools();
    drawPanel();
  }

  dark.addEventListener("change", draw);
  draw();
  return {
    state,
    draw,
    destroy() {
      dark.removeEventListener("change", draw);
      root.remove();
    },
  };
}

/** Black or white, whichever can be read better on a colour (relative luminance of WCAG 2). */
export function inkOn(colour) {
  const [red, green, blue] = colour.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? "#000000" : "#ffffff";
}

function make(tag, name = "", attributes = {}, text = null) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== null) element.textContent = text;
  return element;
}
