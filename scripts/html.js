// Of scripts/html: the search box, and buttons that copy command lines.
const query = document.querySelector('header input');
const found = document.querySelector('header ol');

// Entries of search-index.js that have all words: first those whose name has the first
// word, the nearer to its beginning the earlier; of equal ones that of this page.
function show() {
	const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
	const place = entry => (entry[1].toLowerCase() + ' ').indexOf(words[0]) >>> 0;
	const is_here = entry => entry[0].startsWith(location.pathname.split('/').pop() + '#');
	const hits = words.length === 0 ? [] : entries
		.filter(entry => words.every(w => (entry[1] + ' ' + entry[2]).toLowerCase().includes(w)))
		.sort((a, b) => place(a) - place(b) || is_here(b) - is_here(a))
		.slice(0, 12);
	found.innerHTML = hits.map(([target, name, text]) =>
		`<li><a href="${target}">${name} <span>${text}</span></a></li>`).join('') ||
		(words.length ? '<li><a>Nothing found</a></li>' : '');
}

// The index is read when the box is first used.
query.addEventListener('focus', () => {
	const script = document.createElement('script');
	script.src = 'search-index.js';
	script.onload = () => {
		query.addEventListener('input', show);
		show();
	};
	document.head.append(script);
}, { once: true });
query.hidden = false;
addEventListener('keydown', event => {
	if (event.key === '/' && document.activeElement !== query) {
		event.preventDefault();
		query.focus();
	} else if (event.key === 'Enter' && document.activeElement === query)
		found.querySelector('a[href]')?.click();
	else if (event.key === 'Escape')
		found.innerHTML = query.value = '';
});
found.addEventListener('click', () => found.innerHTML = '');

// On a telephone the contents begin closed.
if (innerWidth < 992)
	document.querySelectorAll('details').forEach(details => details.open = false);

for (const pre of document.querySelectorAll('.Bd-indent > pre, pre:has(.language-sh)')) {
	const text = pre.textContent;
	const button = document.createElement('button');
	button.textContent = 'copy';
	button.onclick = () => navigator.clipboard.writeText(text.trim() + '\n');
	if (navigator.clipboard)
		pre.prepend(button);
}
