// Search: of clusters by name and label, of objects by kind, namespace and name, of policies by name. Every word must be in it.
const clusterWords = clusters.map((c) => [c.name, ...c.labels].join(' ').toLowerCase());
const objectWords = objects.map((o) => `${o.kind}/${fullName(o)} ${o.kind} ${o.group}`.toLowerCase());

const policyWords = data.policies.map((_, p) => policyName(p).toLowerCase());

function matching(words, query) {
  const terms = query.toLowerCase().split(/\s+/).filter(Boolean);
  const out = [];
  words.forEach((text, i) => { if (terms.every((t) => text.includes(t))) out.push(i); });
  return out;
}

// having are the clusters that have any of the objects, or had one before the change.
function having(wanted) {
  const set = new Set(wanted);
  const had = new Set(groups.filter((g) => set.has(g.object)).flatMap((g) => g.ways.flatMap(clustersOf)));
  const has = new Map();
  const any = (list) => {
    if (!has.has(list)) has.set(list, list.some((o) => set.has(o)));
    return has.get(list);
  };
  return clusters.filter((c) => had.has(c.index) || c.loads.some((l) => any(l.list))).map((c) => c.index);
}

// served are the clusters that have something of any of the policies.
const served = (wanted) => clusters.filter((c) => wanted.some((p) => c.counts[p] > 0)).map((c) => c.index);

// find is what a query shows: rows of clusters and, if there is a query, policies and objects. Where no cluster is called
// like that, the rows are those that have one of the objects or, if there is none, something of the policies.
function find(query) {
  if (query.trim() === '') return {rows: clusters.map((c) => c.index), objects: [], policies: [], by: ''};
  const rows = matching(clusterWords, query), found = matching(objectWords, query), policies = matching(policyWords, query);
  const all = {objects: found, policies};
  if (rows.length > 0) return {...all, rows, by: 'cluster'};
  if (found.length > 0) return {...all, rows: having(found), by: 'object'};
  return policies.length > 0 ? {...all, rows: served(policies), by: 'policy'} : {...all, rows, by: 'cluster'};
}

// whereAre lists the different texts of an object, and which clusters have them; null are those that are left out.
function whereAre(object) {
  const by = new Map();
  for (const r of rowsOf(object)) {
    const text = yamlOf(object, r);
    if (!by.has(text)) by.set(text, []);
    by.get(text).push(r.cluster.index);
  }
  return [...by.entries()].sort((a, b) => b[1].length - a[1].length || a[1][0] - b[1][0]);
}
