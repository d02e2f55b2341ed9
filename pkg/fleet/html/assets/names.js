// Names that are too long for their place are shortened where they are like others, and not where they differ.

// common is how much two texts begin with that is the same.
function common(a, b) {
  let n = 0;
  while (n < a.length && n < b.length && a[n] === b[n]) n++;
  return n;
}

// differences are, of each name, where it first differs from whichever of the others begins like it for longest.
function differences(names) {
  const order = names.map((_, i) => i).sort((x, y) => (names[x] < names[y] ? -1 : names[x] > names[y] ? 1 : 0));
  const out = new Array(names.length).fill(0);
  for (let n = 1; n < order.length; n++) {
    const same = common(names[order[n - 1]], names[order[n]]);
    for (const i of [order[n - 1], order[n]]) out[i] = Math.max(out[i], same);
  }
  return out;
}

// brief is a name of most characters at most, with its beginning, its end, and what stands about the place where it differs.
function brief(name, place, most) {
  const all = [...name];
  if (all.length <= most) return name;
  const at = [...name.slice(0, place)].length;
  const half = Math.floor(most / 2), quarter = Math.max(1, Math.floor((most - 2) / 4));
  const text = (from, count) => all.slice(from, from + Math.max(0, count)).join('');
  const end = (count) => (count > 0 ? all.slice(-count).join('') : '');
  if (at + 1 <= most - 1 - quarter) {
    const begin = Math.max(half, at + 1);
    return `${text(0, begin)}…${end(most - 1 - begin)}`;
  }
  if (all.length - at <= most - 1 - quarter) {
    const behind = Math.max(half, all.length - at);
    return `${text(0, most - 1 - behind)}…${end(behind)}`;
  }
  return `${text(0, quarter)}…${text(at - quarter, most - 2 - 2 * quarter)}…${end(quarter)}`;
}

const ruler = document.createElement('canvas').getContext('2d');
const fitted = new Map();

// fitting is as much of a name as there is room for in a cell of so many pixels.
function fitting(name, place, width, weight) {
  const key = `${width} ${weight} ${name}`;
  if (!fitted.has(key)) fitted.set(key, fit(name, place, width - 15, weight));
  return fitted.get(key);
}

function fit(name, place, room, weight) {
  const {fontSize, fontFamily} = getComputedStyle(document.body);
  ruler.font = `${weight} ${fontSize} ${fontFamily}`;
  let text = name;
  for (let most = [...name].length - 1; most > 5 && ruler.measureText(text).width > room; most--) {
    most = Math.min(most, Math.max(6, Math.ceil(([...text].length * room) / ruler.measureText(text).width)));
    text = brief(name, place, most);
  }
  return text;
}

const clusterDiffers = differences(clusters.map((c) => c.name));
const policyDiffers = differences(data.policies);

function element(tag, attributes = {}, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
  e.append(...children);
  return e;
}

// named is a name within a sentence, which keeps its own direction.
const named = (text) => element('bdi', {}, text);
