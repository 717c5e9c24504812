import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

/** The page of `graph --format html` of 200 clusters, which `npm run example` has synthesized. */
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FLEET = join(ROOT, 'examples/fleet/dist');

let folder;
let address;
let browser;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fleet-page-'));
  const file = join(folder, 'fleet.html');
  execFileSync(process.execPath, [join(ROOT, 'bin/cdk8s-cluster-api'), 'graph', '--format', 'html', '--output', file, FLEET], { stdio: ['ignore', 'ignore', 'inherit'] });
  address = pathToFileURL(file).href;
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

/** Opens the page in a tab whose errors, and whose requests, are collected. */
async function tab({ width = 1280, javaScriptEnabled = true, colorScheme = 'light' } = {}) {
  const page = await (await browser.newContext({ viewport: { width, height: 900 }, javaScriptEnabled, colorScheme })).newPage();
  const faults = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('request', (request) => request.url().split('#')[0] === address || faults.push(`asks ${request.url()}`));
  await page.goto(address);
  return { page, faults };
}

const sizes = (page) => page.evaluate(() => {
  const { scrollHeight: height, scrollWidth, clientWidth } = document.documentElement;
  return { height, excess: scrollWidth - clientWidth };
});

for (const width of [1280, 390]) {
  test(`200 clusters are within a few screens, and nothing scrolls sideways, at ${width} px`, async () => {
    const { page, faults } = await tab({ width });
    const { height, excess } = await sizes(page);
    assert.ok(height < 12_000, `${height} px`);
    assert.equal(excess, 0);
    for (const summary of await page.locator('summary:visible').all()) await summary.click();
    assert.equal((await sizes(page)).excess, 0);
    assert.deepEqual(faults, []);
    await page.close();
  });
}

test('the row of each cluster links to its picture', async () => {
  const { page, faults } = await tab();
  const links = await page.locator('.group tbody th a').evaluateAll((all) => all.map((link) => ({
    name: link.textContent, picture: document.getElementById(link.hash.slice(1))?.querySelector('svg > title')?.textContent,
  })));
  assert.equal(links.length, 200);
  for (const { name, picture } of links) assert.equal(picture, `Cluster ${name}`);
  assert.deepEqual(faults, []);
  await page.close();
});

for (const javaScriptEnabled of [true, false]) {
  test(`the matrix opens a group, and a row its picture, ${javaScriptEnabled ? 'with' : 'without'} the script`, async () => {
    const { page } = await tab({ javaScriptEnabled });
    assert.equal(await page.locator('.picture svg:visible').count(), 0);
    await page.getByRole('link', { name: '12 clusters, v1.36.1, ring canary' }).click();
    assert.equal(await page.locator('.group[open]').count(), 1);
    await page.locator('.group[open] tbody th a').first().click();
    assert.equal(await page.locator('.picture svg:visible').count(), 1);
    assert.equal(await page.locator('.picture svg').filter({ visible: true }).evaluate((svg) => svg.getBoundingClientRect().top < innerHeight), true);
    await page.close();
  });
}

test('the filter finds clusters by labels, names and versions, and closes again what it opened', async () => {
  const { page, faults } = await tab();
  await page.getByRole('searchbox').fill('hall-b gold v1.35');
  assert.equal(await page.locator('output[name=found]').innerText(), '9 clusters found');
  assert.equal(await page.locator('.group tbody tr:visible').count(), 9);
  await page.getByRole('searchbox').fill('acme-clinic');
  assert.deepEqual(await page.locator('.group tbody th:visible').allInnerTexts(), ['tenant-acme-clinic/acme-clinic']);
  await page.getByRole('searchbox').fill('');
  assert.equal(await page.locator('.group:visible').count(), 5);
  assert.equal(await page.locator('.group[open]').count(), 0);
  assert.deepEqual(faults, []);
  await page.close();
});

test('a column sorts up and down, numbers as numbers, with the keyboard, too', async () => {
  const { page, faults } = await tab();
  await page.locator('.list:not(.group) summary').first().click();
  const head = page.locator('.list[open] thead th').filter({ hasText: 'CPU' });
  const cells = () => page.locator('.list[open] tbody tr').evaluateAll((rows) => [...new Set(rows.map((row) => row.children[4].textContent))]);
  await head.getByRole('button').focus();
  await page.keyboard.press('Enter');
  assert.equal(await head.getAttribute('aria-sort'), 'ascending');
  assert.deepEqual(await cells(), ['2', '4', '8']);
  await page.keyboard.press('Enter');
  assert.deepEqual(await cells(), ['8', '4', '2']);
  assert.deepEqual(faults, []);
  await page.close();
});

test('a picture is made larger, smaller, and as wide as the page', async () => {
  const { page, faults } = await tab({ width: 390, colorScheme: 'dark' });
  await page.goto(`${address}#tenant-acme-clinic-acme-clinic`);
  const picture = page.locator('.picture[open]');
  const width = () => picture.locator('svg').evaluate((svg) => svg.getBoundingClientRect().width);
  const natural = await width();
  await picture.getByRole('button', { name: 'Zoom in' }).click();
  assert.ok(await width() > natural);
  await picture.getByRole('button', { name: 'Fit to the width of the page' }).click();
  assert.ok(await width() <= 390);
  await picture.getByRole('button', { name: 'Natural size' }).click();
  assert.equal(await width(), natural);
  assert.deepEqual(faults, []);
  await page.close();
});
