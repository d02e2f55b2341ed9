// Begin: search, keys, light and dark.
const search = document.getElementById('search');
const foundList = document.getElementById('found');
const statusLine = document.getElementById('status');
const mostFound = 50;

function showFound(found) {
  const shown = found.objects.slice(0, mostFound).map((o) => element('li', {}, link(title(objects[o]), linkTo(null, objects[o]))));
  if (found.objects.length > mostFound) shown.push(element('li', {}, `and ${found.objects.length - mostFound} more`));
  foundList.replaceChildren(...shown);
  foundList.hidden = shown.length === 0;
  const what = {'': '', cluster: ' match', object: ' have an object that matches'}[found.by];
  statusLine.textContent = `${found.rows.length} of ${plural(clusters.length, 'cluster')}${what}${found.by ? `; ${plural(found.objects.length, 'object')} by that name` : ''}.`;
}

function query() {
  const found = find(search.value);
  showFound(found);
  showRows(found.rows);
}

// Searching waits until typing rests, so that it keeps up in a large fleet.
let waiting = 0;
search.addEventListener('input', () => {
  clearTimeout(waiting);
  waiting = setTimeout(query, clusters.length + objects.length > 5000 ? 120 : 0);
});

search.addEventListener('keydown', (e) => {
  if (e.key === 'ArrowDown' || e.key === 'Enter') {
    e.preventDefault();
    clearTimeout(waiting);
    query();
    activate(0, -1);
  }
});

document.addEventListener('keydown', (e) => {
  if (e.key === '/' && document.activeElement !== search) {
    e.preventDefault();
    search.select();
    search.focus();
  } else if (e.key === 'Escape' && !panel.hidden && document.activeElement !== search) {
    closePanel();
  } else if (e.key === 'Escape' && search.value !== '') {
    search.value = '';
    query();
  }
});

const themes = ['', 'dark', 'light'];
const theme = document.getElementById('theme');
theme.addEventListener('click', () => {
  const root = document.documentElement;
  root.dataset.theme = themes[(themes.indexOf(root.dataset.theme ?? '') + 1) % themes.length];
  theme.textContent = `Theme: ${root.dataset.theme || 'as the system'}`;
});

gridElement.addEventListener('keydown', gridKey);
gridElement.addEventListener('click', gridClick);
let drawing = 0;
gridElement.addEventListener('scroll', () => {
  cancelAnimationFrame(drawing);
  drawing = requestAnimationFrame(draw);
});
addEventListener('resize', draw);
addEventListener('hashchange', route);
document.documentElement.classList.add('scripted');
query();
route();
// For whoever measures: when the page could be used.
document.documentElement.dataset.ready = Math.round(performance.now());
