// What the page knows. The format is described in data.go; everything shown comes out of here as text.
const data = JSON.parse(document.getElementById('data').textContent);
const compared = data.changes !== null;

const objects = data.objects.map(([kind, namespace, name, group, itself, templates, forms]) => ({kind, namespace, name, group, itself: itself === 1, templates, forms}));

// deliveries are what clusters receive: many receive the same.
const deliveries = data.loads.map((all) => all.map(([policy, work, file, list, handsOver = []]) => ({policy, work: data.works[work], file: data.files[file], list: data.lists[list], handsOver})));

const clusters = data.clusters.map(([name, labels, loads], index) => ({index, name, labels: labels.map((l) => data.labels[l]), loads: deliveries[loads], received: loads}));

// at is a number in a list of rows; -1 is the list of all numbers.
const at = (rows, row) => (rows < 0 ? row : data.rows[rows][row]);

// fillIn puts the name of a cluster and the values of a row in place of the marks of a template; null if the page does not have them.
function fillIn(template, row, name) {
  let whole = true;
  const text = template.replace(/\f|[\b](\d+)[\b]/g, (_, number) => {
    if (number === undefined) return name;
    const [values, rows] = data.columns[number], value = values[at(rows, row)];
    whole &&= value !== undefined;
    return value?.replaceAll('\f', () => name);
  });
  return whole ? text : null;
}

const differs = (template) => template !== null && /[\f\b]/.test(template);
// outline is a template for people.
const outline = (template) => template.replaceAll('\f', '‹cluster›').replace(/[\b]\d+[\b]/g, '‹value›');

// path is where a load stands.
const path = (load, cluster) => fillIn(load.file, 0, cluster.name);

const policyName = (policy) => data.policies[policy] || 'no policy';

const fullName = (o) => (o.namespace ? `${o.namespace}/${o.name}` : o.name);

const title = (o) => (o.itself ? `${o.kind} ${o.name}, itself` : `${o.kind} ${fullName(o)}`);

const plural = (n, word) => (n === 1 ? `1 ${word}` : `${n} ${word}s`);

// counts is how many objects a cluster has of each policy, works themselves apart.
const countsOf = deliveries.map((loads) => {
  const counts = new Array(data.policies.length).fill(0);
  for (const load of loads) counts[load.policy] += load.list.reduce((n, o) => n + (objects[o].itself ? 0 : 1), 0);
  return counts;
});
for (const c of clusters) c.counts = countsOf[c.received];

// rangeOf is the fewest and the most objects of each policy that a cluster with any has.
const rangeOf = data.policies.map((_, p) => countsOf.map((counts) => counts[p]).filter((n) => n > 0).reduce(({fewest, most}, n) => ({fewest: Math.min(fewest, n), most: Math.max(most, n)}), {fewest: Infinity, most: 0}));

// rowsOf are the deliveries of an object, in the order of the data, with the template of each and its row in that.
const rowsByObject = new Map();
function rowsOf(object) {
  if (!rowsByObject.has(object)) rowsByObject.set(object, findRows(object));
  return rowsByObject.get(object);
}

function findRows(object) {
  const rows = [], places = new Map(), next = [], {forms} = objects[object];
  for (const cluster of clusters) {
    for (const load of cluster.loads) {
      if (!places.has(load.list)) places.set(load.list, load.list.filter((o) => o === object).length);
      for (let n = places.get(load.list); n > 0; n--) {
        const form = objects[object].templates.length < 2 ? 0 : at(forms, rows.length);
        next[form] = (next[form] ?? -1) + 1;
        rows.push({cluster, load, form, row: next[form]});
      }
    }
  }
  return rows;
}

// templateOf is a form of an object: the first is whole, the others say which lines of it are others; null is left out.
const templates = new Map();
function templateOf(object, form) {
  const key = `${object} ${form}`;
  if (!templates.has(key)) templates.set(key, edited(objects[object].templates, form));
  return templates.get(key);
}

function edited(forms, form) {
  if (form === 0 || forms[form] === null) return forms[form];
  const [from, drop, text] = forms[form], lines = forms[0].split('\n');
  lines.splice(from, drop, ...(text === '' ? [] : text.split('\n').slice(0, -1)));
  return lines.join('\n');
}

// yamlOf is what an object says in one of its rows; null is left out.
function yamlOf(object, {form, row, cluster}) {
  const template = templateOf(object, form);
  return template === null ? null : fillIn(template, row, cluster.name);
}

// clustersOf are the clusters of the rows of a way to change.
function clustersOf(way) {
  const out = [];
  for (let i = 0; i < way.clusters.length; i += 2) {
    for (let n = 0; n < way.clusters[i + 1]; n++) out.push(way.clusters[i] + n);
  }
  return out;
}

// changesOf are the changes for each cluster: the group, its way, and the row of that.
const changesOf = clusters.map(() => []);
const groups = compared ? data.changes.groups : [];
for (const group of groups) {
  for (const way of group.ways) clustersOf(way).forEach((c, row) => changesOf[c].push({group, way, row}));
}

const levels = ['', 'low', 'medium', 'high'];
// levelOf is how risky the riskiest of some changes is.
const levelOf = (changes) => levels[Math.max(0, ...changes.map(({way}) => levels.indexOf(way.level)))];

const setsOfLists = new Map();
function setOf(list) {
  if (!setsOfLists.has(list)) setsOfLists.set(list, new Set(list));
  return setsOfLists.get(list);
}

// changesBy are the changes of a cluster to objects that a policy delivers there, or delivered before.
function changesBy(cluster, policy) {
  const lists = cluster.loads.filter((l) => l.policy === policy).map((l) => setOf(l.list));
  return changesOf[cluster.index].filter(({group, way}) => way.policy === policy || lists.some((list) => list.has(group.object)));
}

// The keys of labels that divide the clusters into groups, with the value that each cluster has.
const mostGroups = 50;
const labelOf = (cluster, key) => cluster.labels.find((l) => l.startsWith(`${key}=`))?.slice(key.length + 1) ?? '';
const groupKeys = [...new Set(data.labels.map((l) => l.split('=')[0]))].filter((key) => {
  const values = new Set(data.labels.filter((l) => l.startsWith(`${key}=`)));
  return values.size > 0 && values.size <= mostGroups;
}).sort();
