// What the page knows. The format is described in data.go; everything shown comes out of here as text.
const data = JSON.parse(document.getElementById('data').textContent);
const kinds = {kind: 0, namespace: 1, name: 2, group: 3, itself: 4, texts: 5};
const compared = data.changes !== null;

const objects = data.objects.map((o) => ({
  kind: o[kinds.kind], namespace: o[kinds.namespace], name: o[kinds.name], group: o[kinds.group],
  itself: o[kinds.itself] === 1, texts: o[kinds.texts],
}));

const clusters = data.clusters.map(([name, labels, loads], index) => ({
  index, name,
  labels: labels.map((l) => data.labels[l]),
  loads: loads.map(([policy, work, file, list, odd, handsOver = []]) => ({policy, work: data.works[work], file: data.files[file], list: data.lists[list], odd, handsOver})),
}));

// path is where a load stands: 0 in a file's parts is the cluster.
const path = (load, cluster) => load.file.map((part) => (part === 0 ? cluster.name : part)).join('/');

const policyName = (policy) => data.policies[policy] || 'no policy';

const fullName = (o) => (o.namespace ? `${o.namespace}/${o.name}` : o.name);

const title = (o) => (o.itself ? `${o.kind} ${o.name}, itself` : `${o.kind} ${fullName(o)}`);

const plural = (n, word) => (n === 1 ? `1 ${word}` : `${n} ${word}s`);

// counts is how many objects a cluster has of each policy, works themselves apart.
const ownObjects = new Map();
function countOf(list) {
  if (!ownObjects.has(list)) {
    ownObjects.set(list, list.reduce((n, o) => n + (objects[o].itself ? 0 : 1), 0));
  }
  return ownObjects.get(list);
}

for (const c of clusters) {
  c.counts = new Array(data.policies.length).fill(0);
  for (const load of c.loads) c.counts[load.policy] += countOf(load.list);
}

const mostOf = data.policies.map((_, p) => clusters.reduce((most, c) => Math.max(most, c.counts[p]), 0));

// textIn is which text the object at a place of a load has; all are 0, the commonest, but those that are listed.
function textIn(load, place) {
  for (let i = 0; i < load.odd.length; i += 2) {
    if (load.odd[i] === place) return load.odd[i + 1];
  }
  return 0;
}

// yamlOf is a text of an object: the first is whole, the others say which lines of it are others; null is left out.
function yamlOf(object, text) {
  const edits = object.texts[text];
  if (text === 0 || edits === null || edits === undefined) return edits ?? null;
  if (object.texts[0] === null) return null;
  const lines = object.texts[0].split('\n');
  for (let i = edits.length - 3; i >= 0; i -= 3) {
    lines.splice(edits[i], edits[i + 1], ...(edits[i + 2] === '' ? [] : edits[i + 2].split('\n').slice(0, -1)));
  }
  return lines.join('\n');
}

// changesOf are the changes for each cluster: [group, shape] of data.changes.
const changesOf = clusters.map(() => []);
if (compared) {
  for (const [g, group] of data.changes.groups.entries()) {
    for (const [s, shape] of group.shapes.entries()) {
      for (let i = 0; i < shape.clusters.length; i += 2) {
        for (let n = 0; n < shape.clusters[i + 1]; n++) changesOf[shape.clusters[i] + n].push([g, s]);
      }
    }
  }
}

const levels = ['', 'low', 'medium', 'high'];
// levelOf is how risky the riskiest of some changes is.
function levelOf(changes) {
  return changes.reduce((most, [g, s]) => {
    const level = data.changes.groups[g].shapes[s].level;
    return levels.indexOf(level) > levels.indexOf(most) ? level : most;
  }, '');
}

const setsOfLists = new Map();
function setOf(list) {
  if (!setsOfLists.has(list)) setsOfLists.set(list, new Set(list));
  return setsOfLists.get(list);
}

// changesBy are the changes of a cluster to objects that a policy delivers there.
function changesBy(cluster, policy) {
  const lists = cluster.loads.filter((l) => l.policy === policy).map((l) => setOf(l.list));
  return changesOf[cluster.index].filter(([g]) => lists.some((list) => list.has(data.changes.groups[g].object)));
}

// The keys of labels that divide the clusters into groups, with the value that each cluster has.
const mostGroups = 50;
const labelOf = (cluster, key) => cluster.labels.find((l) => l.startsWith(`${key}=`))?.slice(key.length + 1) ?? '';
const groupKeys = [...new Set(data.labels.map((l) => l.split('=')[0]))].filter((key) => {
  const values = new Set(data.labels.filter((l) => l.startsWith(`${key}=`)));
  return values.size > 0 && values.size <= mostGroups;
}).sort();
