// Search in search-index.js, which is read when the search gets the focus. Texts become text nodes, never HTML.
'use strict';
(() => {
  const root = new URL('.', document.currentScript.src);
  const most = {words: 40, results: 30};
  const [search, query, found, status, results] = ['Search', 'Query', 'Found', 'Status', 'Results'].map((id) => document.getElementById('site' + id));
  let index, reading, chosen = -1;

  window.searchIndex = ({pages, sections}) => {
    index = sections.map(([page, anchor, heading, text]) => ({
      title: pages[page][0], heading, text, href: new URL(pages[page][1], root).href + (anchor && '#' + anchor),
      high: (pages[page][0] + ' ' + heading).toLowerCase(), low: text.toLowerCase(),
    }));
    show();
  };

  function read() {
    if (reading) return;
    reading = document.createElement('script');
    reading.src = new URL('search-index.js', root).href;
    reading.onerror = () => { tell('search-index.js is missing beside index.html, so nothing can be found.'); };
    document.head.append(reading);
  }

  const letter = /[\p{L}\p{N}]/u;
  // worth of a word in a text: nothing if it is not there, most if it stands alone.
  function worth(text, word) {
    let best = 0;
    for (let at = text.indexOf(word); at >= 0 && best < 3; at = text.indexOf(word, at + 1)) {
      const begins = !letter.test(text[at - 1] ?? ' '), ends = !letter.test(text[at + word.length] ?? ' ');
      best = Math.max(best, 1 + begins + (begins && ends));
    }
    return best;
  }

  // find sorts the sections that have all words, or, if none has, those that have the most: rare words count more, those of headings
  // most, and then the order of the index decides. First is a section whose heading is in what was asked: headings are texts of errors.
  function find(asked, words) {
    const table = index.map((section) => words.map((word) => 4 * worth(section.high, word) + worth(section.low, word)));
    const rarity = words.map((_, i) => Math.log(1 + index.length / Math.max(1, table.filter((row) => row[i] > 0).length)));
    const scored = index.map((section, n) => {
      const named = section.heading.includes(' ') && asked.includes(section.heading.toLowerCase());
      const bonus = (named ? 1000 : 0) + (section.low.includes(asked) ? 4 : 0);
      return {section, named, all: table[n].every(Boolean), score: table[n].reduce((sum, points, i) => sum + points * rarity[i], bonus)};
    });
    const all = scored.some((s) => s.all);
    const most = Math.max(...scored.filter((s) => !s.named).map((s) => s.score));
    const best = scored.filter((s) => s.named || (all ? s.all : s.score > most / 2)).sort((a, b) => b.score - a.score);
    return {all, sections: best.map((s) => s.section)};
  }

  // marked puts the words of text into mark elements.
  function marked(element, text, pattern) {
    let at = 0;
    for (const match of text.matchAll(pattern)) {
      const mark = document.createElement('mark');
      mark.textContent = match[0];
      element.append(text.slice(at, match.index), mark);
      at = match.index + match[0].length;
    }
    element.append(text.slice(at));
    return element;
  }

  // context is the part of a text around the first word found.
  function context(text, pattern) {
    const at = Math.max(0, text.search(pattern));
    const from = at < 60 ? 0 : text.indexOf(' ', at - 60) + 1 || at;
    return (from > 0 ? '… ' : '') + text.slice(Math.min(from, at), at + 140) + (text.length > at + 140 ? ' …' : '');
  }

  function result(section, number, pattern) {
    const item = document.createElement('li'), link = document.createElement('a'), text = document.createElement('span');
    item.id = 'siteResult' + number;
    item.setAttribute('role', 'option');
    link.href = section.href;
    link.tabIndex = -1;
    const name = section.heading && section.heading !== section.title ? section.title + ' › ' + section.heading : section.title;
    link.append(marked(document.createElement('strong'), name, pattern), marked(text, context(section.text, pattern), pattern));
    link.onclick = () => close();
    item.append(link);
    return item;
  }

  function tell(text) {
    status.textContent = text;
    found.hidden = false;
    query.setAttribute('aria-expanded', 'true');
  }

  function close() {
    found.hidden = true;
    query.setAttribute('aria-expanded', 'false');
    choose(-1);
  }

  // show answers what stands in the query.
  function show() {
    const asked = query.value.toLowerCase().split(/\s+/).filter(Boolean);
    const words = [...new Set(asked)].slice(0, most.words);
    results.replaceChildren();
    if (words.length === 0) return close();
    if (!index) return reading ? undefined : read();
    const pattern = new RegExp(words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|'), 'giu');
    const {all, sections} = find(asked.join(' '), words);
    results.append(...sections.slice(0, most.results).map((section, number) => result(section, number, pattern)));
    const count = sections.length === 1 ? '1 section' : sections.length + ' sections';
    const shown = sections.length > most.results ? '; the first ' + most.results + ' are shown' : '';
    tell(sections.length === 0 ? 'Nothing is found.' : (all ? count : 'No section has all words; ' + count + (sections.length === 1 ? ' has' : ' have') + ' some') + shown + '.');
    choose(sections.length === 0 ? -1 : 0);
  }

  function choose(number) {
    results.children[chosen]?.removeAttribute('aria-selected');
    chosen = number;
    const item = results.children[chosen];
    item?.setAttribute('aria-selected', 'true');
    item?.scrollIntoView({block: 'nearest'});
    item ? query.setAttribute('aria-activedescendant', item.id) : query.removeAttribute('aria-activedescendant');
  }

  const keys = {
    ArrowDown: () => choose(Math.min(chosen + 1, results.children.length - 1)),
    ArrowUp: () => choose(Math.max(chosen - 1, 0)),
    Enter: () => results.children[chosen]?.firstChild.click(),
    Escape: () => { query.value = ''; close(); query.blur(); },
  };
  query.addEventListener('keydown', (event) => {
    if (!keys[event.key] || event.isComposing) return;
    event.preventDefault();
    keys[event.key]();
  });
  query.addEventListener('focus', read);
  query.addEventListener('input', show);
  document.addEventListener('click', (event) => { if (!search.contains(event.target)) close(); });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target === query) return;
    event.preventDefault();
    query.focus();
    query.select();
  });
  search.hidden = false;

  const pages = document.getElementById('sitePages');
  const here = pages.querySelector('[aria-current]');
  if (here) pages.scrollTop = here.offsetTop - pages.clientHeight / 2;
})();
