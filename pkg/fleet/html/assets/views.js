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

// textView is what an object says in a cluster or, without one, where it is the commonest.
function textView(object, text) {
  const yaml = yamlOf(object, text);
  if (yaml === null || yaml === undefined) return element('p', {class: 'left-out'}, 'What it says is not in this page, which would be too large.');
  return element('pre', {tabindex: 0, role: 'group', 'aria-label': 'YAML', dir: 'auto'}, yaml);
}

function objectView(object, cluster) {
  const index = objects.indexOf(object), parts = [heading(title(object))];
  if (cluster) {
    parts.push(element('p', {}, 'In ', link(cluster.name, linkTo(cluster)), '.'));
    const own = changesOf[cluster.index].filter(([g]) => data.changes.groups[g].object === index);
    parts.push(...own.map((c) => ownChange(c, cluster, false)));
    for (const load of cluster.loads) {
      load.list.forEach((o, place) => {
        if (o !== index) return;
        parts.push(element('p', {class: 'where'}, named(policyName(load.policy)), ': ', named(path(load, cluster))), textView(object, textIn(load, place)));
      });
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

// clustersOf are those that a shape is about.
function clustersOf(shape) {
  const out = [];
  for (let i = 0; i < shape.clusters.length; i += 2) {
    for (let n = 0; n < shape.clusters[i + 1]; n++) out.push(shape.clusters[i] + n);
  }
  return [...new Set(out)];
}

// waysOf are the shapes of a group that change the same fields, together: a template with another value on each cluster is one way.
function waysOf(group) {
  const ways = new Map();
  for (const shape of group.shapes) {
    const key = JSON.stringify([shape.fields.map(([name, change]) => [name, change]), shape.says, shape.level, shape.risks]);
    if (!ways.has(key)) ways.set(key, []);
    ways.get(key).push(shape);
  }
  return [...ways.values()];
}

// wayElement is one way in which an object changes: what is the same on all clusters first, then what differs and where.
function wayElement(group, shapes, object) {
  const to = (c) => linkTo(c, object);
  const same = (f) => shapes.every((s) => s.fields[f][2] === shapes[0].fields[f][2] && s.fields[f][3] === shapes[0].fields[f][3]);
  const fields = shapes[0].fields.map((_, f) => f);
  const alike = fields.filter(same), differing = fields.filter((f) => !same(f));
  const e = changeElement(group, {...shapes[0], fields: alike.map((f) => shapes[0].fields[f])}, fields.length, null, false);
  if (differing.length === 0) return element('div', {}, e, element('p', {class: 'where'}, ...some(shapes.flatMap(clustersOf), to)));
  const differs = bounded(shapes, (s) => element('div', {}, element('span', {class: 'where'}, ...some(clustersOf(s), to)), element('ul', {}, ...differing.map((f) => element('li', {}, ...fieldText(s.fields[f]))))));
  return element('div', {}, e, element('p', {}, `${plural(differing.length, 'field')} with values that differ by cluster:`), differs);
}

// changesTo are all changes of an object, with the clusters where they happen.
function changesTo(index) {
  const groups = (compared ? data.changes.groups : []).filter((group) => group.object === index);
  const all = groups.flatMap((group) => waysOf(group).map((shapes) => [group, shapes]));
  if (all.length === 0) return [];
  return [element('h3', {}, all.length === 1 ? 'Changes' : `Changes in ${all.length} ways`), bounded(all, ([group, shapes]) => wayElement(group, shapes, objects[index]))];
}

// changesView lists what changes anywhere, the riskiest first.
function changesView() {
  const view = (group) => {
    const level = levels[Math.max(...group.shapes.map((s) => levels.indexOf(s.level)))];
    const risks = [...new Set(group.shapes.flatMap((s) => s.risks))];
    const marks = level ? [' ', element('span', {class: `mark ${level}`}, `${level}: ${risks.join(', ')}`)] : [];
    const on = new Set(group.shapes.flatMap(clustersOf)).size;
    return element('div', {class: 'change'}, link(title(objects[group.object]), linkTo(null, objects[group.object])), `: ${happened(group, group.shapes[0].fields.length)} on ${plural(on, 'cluster')}`, ...marks);
  };
  return [heading('Changes'), element('p', {}, `On ${plural(changedClusters, 'cluster')}.`), bounded(data.changes.groups, view)];
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
  const parts = [element('h3', {}, total === 0 ? 'On no cluster any more' : `On ${plural(total, 'cluster')}${places.length > 1 ? `, in ${places.length} forms` : ''}`)];
  if (!cluster && places.length > 0) parts.push(textView(object, places[0][0]));
  parts.push(bounded(places, ([, on]) => element('div', {}, ...some(on, (c) => linkTo(c, object)))));
  return parts;
}
