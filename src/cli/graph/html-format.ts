import { Picture } from './picture';
import { arrowHead, svgInPage, xmlText } from './svg-format';
import { SVG_STYLE } from './svg-style';
import { Landscape } from '../../landscape/cluster-model';
import { addonRows, clusterRows, poolRows, Rows } from '../inventory/inventory-rows';
import { summary } from '../inventory/summary';

const HEAD = 'page--head';

const PAGE_STYLE = `
:root { color-scheme: light dark; }
body { margin: 24px; background: #ffffff; color: #1f2328; font: 14px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
h1 { font-size: 22px; }
h2 { margin-top: 40px; font-size: 17px; }
a { color: #0969da; }
nav ul { columns: 18em; padding-left: 20px; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: 12px 0; font-size: 13px; }
th, td { border: 1px solid #d0d7de; padding: 4px 10px; text-align: left; vertical-align: top; }
th { background: #f6f8fa; font-weight: 600; white-space: nowrap; }
@media (prefers-color-scheme: dark) {
body { background: #0d1117; color: #f0f3f6; }
a { color: #58a6ff; }
th, td { border-color: #30363d; }
th { background: #161b22; }
}
@media print { section { break-inside: avoid; } }
`;

/**
 * One page with the pictures and the inventory, which needs nothing else and runs nothing.
 *
 * @param pictures what is drawn
 * @param landscape what is listed
 */
export function htmlFormat(pictures: readonly Picture[], landscape: Landscape): string {
  const tables = [['Clusters', clusterRows], ['Pools', poolRows], ['Addons', addonRows]] as const;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Clusters</title>
<style>${PAGE_STYLE}${SVG_STYLE}</style>
</head>
<body>
<svg width="0" height="0" aria-hidden="true"><defs>${arrowHead(HEAD)}</defs></svg>
<h1>Clusters</h1>
<p>${xmlText(summary(landscape.clusters))}</p>
<nav aria-label="Pictures">
<ul>
${pictures.map(({ id, title }) => `<li><a href="#${id}">${xmlText(title)}</a></li>\n`).join('')}</ul>
</nav>
${tables.map(([title, rowsOf]) => tableElement(title, rowsOf(landscape))).join('')}${pictures.map(pictureElement).join('')}</body>
</html>
`;
}

function tableElement(title: string, { heads, rows }: Rows): string {
  if (rows.length === 0) return '';
  return `<section>
<h2>${title}</h2>
<div class="wide"><table>
<thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead>
<tbody>
${rows.map((row) => `<tr>${row.map((cell) => `<td>${xmlText(cell === '' ? '-' : cell)}</td>`).join('')}</tr>\n`).join('')}</tbody>
</table></div>
</section>
`;
}

function pictureElement(picture: Picture): string {
  return `<section id="${picture.id}">
<h2>${xmlText(picture.title)}</h2>
<div class="wide">
${svgInPage(picture, HEAD)}</div>
</section>
`;
}
