// What the panel shows: of a cluster, an object, a policy, and of all changes.
function clusterView(cluster) {
  const own = changesOf[cluster.index];
  const total = cluster.counts.reduce((n, m) => n + m, 0);
  const labels = cluster.labels.length > 0 ? cluster.labels.flatMap((l) => [named(l), '  ']).slice(0, -1) : ['no labels known'];
  const parts = [heading(cluster.name), element('p', {class: 'labels'}, ...labels), element('p', {}, `Receives ${plural(total, 'object')}.`)];
  if (own.length > 0) parts.push(element('h3', {tabindex: -1, 'data-changes': ''}, plural(own.length, 'change')), bounded(own, (c) => ownChange(c, cluster, true)));
  for (const load of cluster.loads) {
    const where = load.work ? [named(load.work), ' in ', named(path(load, cluster))] : [named(path(load, cluster))];
    parts.push(element('h3', {tabindex: -1, dir: 'auto', 'data-policy': load.policy}, policyName(load.policy)), element('p', {class: 'where'}, ...where));
    parts.push(bounded(load.list, (o) => link(title(objects[o]), linkTo(cluster, objects[o]))));
    if (load.handsOver.length > 0) parts.push(element('p', {}, 'Hands over:'), bounded(load.handsOver, (o) => handedOver(o, cluster)));
  }
  return parts;
}

// handedOver is an object that a work of the cluster lets go of, and the works that hold it.
function handedOver(o, cluster) {
  const to = cluster.loads.filter((l) => l.list.includes(o)).flatMap((l) => [', ', named(l.work || path(l, cluster))]).slice(1);
  return element('div', {}, link(title(objects[o]), linkTo(cluster, objects[o])), ...(to.length > 0 ? [' to ', ...to] : [': left behind on the cluster']));
}

// textView is what an object says; null is left out.
function textView(yaml) {
  if (yaml === null) return element('p', {class: 'left-out'}, 'What it says is not in this page, which would be too large.');
  return element('pre', {tabindex: 0, role: 'group', 'aria-label': 'YAML', dir: 'auto'}, yaml);
}

function objectView(object, cluster) {
  const index = objects.indexOf(object), parts = [heading(title(object))];
  if (cluster) {
    parts.push(element('p', {}, 'In ', link(cluster.name, linkTo(cluster)), '.'));
    parts.push(...changesOf[cluster.index].filter(({group}) => group.object === index).map((c) => ownChange(c, cluster, false)));
    for (const r of rowsOf(index).filter((r) => r.cluster === cluster)) {
      parts.push(element('p', {class: 'where'}, named(policyName(r.load.policy)), ': ', named(path(r.load, cluster))), textView(yamlOf(index, r)));
    }
  } else {
    parts.push(...changesTo(index));
  }
  return [...parts, ...everywhere(object, index, cluster)];
}

// some are links to clusters, the first of them.
function some(on, to) {
  const links = on.slice(0, 20).flatMap((c) => [link(clusters[c].name, to(clusters[c])), ' ']);
  return [`${plural(on.length, 'cluster')}: `, ...links, on.length > 20 ? `and ${on.length - 20} more` : ''];
}

// mostValues is how many clusters' values are shown at first.
const mostValues = 20;

// wayElement is one way in which an object changes: what is the same on all clusters first, then what differs, its outline
// and what it is where.
function wayElement(group, way, object) {
  const on = clustersOf(way), to = (c) => linkTo(c, object), varies = (f) => on.length > 1 && [f[0], f[2], f[3]].some(differs);
  const first = filled(way, 0, clusters[on[0]]), says = on.length > 1 ? outline(way.says ?? '') : first.says;
  const e = element('div', {}, changeElement(group, {says, fields: first.fields.filter((_, f) => !varies(way.fields[f]))}, way, null, false));
  const differing = way.fields.filter(varies);
  if (differing.length === 0) e.append(element('p', {class: 'where'}, ...some([...new Set(on)], to)));
  else e.append(element('p', {}, `${plural(differing.length, 'field')} with values that differ by cluster:`), fieldList(differing.map(outlined)), bounded(valuesOf(differing, on), ({fields, at}) => element('div', {}, element('span', {class: 'where'}, ...some(at, to)), fieldList(fields)), mostValues));
  return e;
}

const fieldList = (fields) => bounded(fields, (f) => element('span', {}, ...fieldText(f)));
const outlined = ([name, change, from, to]) => [outline(name), change, from && outline(from), to && outline(to)];

// valuesOf are the different values of fields, and the clusters that have each.
function valuesOf(fields, on) {
  const by = new Map();
  on.forEach((c, row) => {
    const own = filled({fields}, row, clusters[c]).fields, key = JSON.stringify(own);
    if (!by.has(key)) by.set(key, {fields: own, at: []});
    by.get(key).at.push(c);
  });
  return [...by.values()].sort((a, b) => b.at.length - a.at.length);
}

// changesTo are all changes of an object, with the clusters where they happen.
function changesTo(index) {
  const all = groups.filter((group) => group.object === index).flatMap((group) => group.ways.map((way) => [group, way]));
  if (all.length === 0) return [];
  return [element('h3', {}, all.length === 1 ? 'Changes' : `Changes in ${all.length} ways`), bounded(all, ([group, way]) => wayElement(group, way, objects[index]))];
}

// changesView lists what changes anywhere, the riskiest first.
function changesView() {
  const view = (group) => {
    const level = levelOf(group.ways.map((way) => ({way}))), risks = [...new Set(group.ways.flatMap((w) => w.risks))];
    const on = new Set(group.ways.flatMap(clustersOf)).size;
    return element('div', {class: 'change'}, link(title(objects[group.object]), linkTo(null, objects[group.object])), `: ${happened(group, group.ways)} on ${plural(on, 'cluster')}`, ...marks(level, risks));
  };
  return [heading('Changes'), element('p', {}, `On ${plural(changedClusters, 'cluster')}.`), bounded(groups, view)];
}

// policyView is what a policy delivers, and where to.
function policyView(policy) {
  const on = clusters.filter((c) => c.counts[policy] > 0);
  const lists = new Set(on.flatMap((c) => c.loads.filter((l) => l.policy === policy).map((l) => l.list)));
  const all = [...new Set([...lists].flat())].filter((o) => !objects[o].itself).sort((a, b) => a - b);
  return [
    heading(policyName(policy)), element('p', {}, `Delivers ${plural(all.length, 'different object')} to ${plural(on.length, 'cluster')}.`),
    element('h3', {}, 'Objects'), bounded(all, (o) => link(title(objects[o]), linkTo(null, objects[o]))),
    element('h3', {}, 'Clusters'), bounded(on, (c) => link(c.name, linkTo(c))),
  ];
}

// linkSummary has what the summary names lead to it.
function linkSummary() {
  const to = {cluster: (i) => linkTo(clusters[i]), object: (i) => linkTo(null, objects[i]), policy: linkToPolicy};
  for (const cell of document.querySelectorAll('[data-to]')) {
    const [what, place] = cell.dataset.to.split(' ');
    cell.replaceChildren(link(cell.textContent, to[what](Number(place))));
  }
}

// everywhere lists the different texts of an object, and who has which.
function everywhere(object, index, cluster) {
  const places = whereAre(index);
  const total = new Set(places.flatMap(([, on]) => on)).size;
  const more = places.some(([text]) => text === null) ? ' or more' : '';
  const parts = [element('h3', {}, total === 0 ? 'On no cluster any more' : `On ${plural(total, 'cluster')}${places.length > 1 ? `, in ${places.length} forms${more}` : ''}`)];
  if (!cluster && places.length > 0) parts.push(textView(places[0][0]));
  parts.push(bounded(places, ([, on]) => element('div', {}, ...some([...new Set(on)], (c) => linkTo(c, object))), mostValues));
  return parts;
}
