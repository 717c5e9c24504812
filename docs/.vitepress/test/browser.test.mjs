import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { pages, serve } from './site.mjs';

/** Words of a user, and the page that helps. The titles of guides and symptoms are added. */
const QUESTIONS = [
  ['TC-ADMIT-KUBERNETES-DATA-SIZE', '/rules/TC-ADMIT-KUBERNETES-DATA-SIZE.html'],
  ['sleep', '/hibernation.html'],
  ['restore etcd', '/restore-data-store.html'],
  ['upgrade cluster to new minor version', '/guides/upgrade-kubernetes.html'],
  ['more replicas', '/guides/change-the-number-of-machines.html'],
  ['scale to zero', '/guides/autoscale-from-zero.html'],
  ['unhealthy node replace', '/guides/health-checks.html'],
  ['node taint', '/guides/taints-and-labels.html'],
  ['kube reserved', '/guides/reserve-node-resources.html'],
  ['availability zone', '/guides/spread-over-failure-domains.html'],
  ['nvidia gpu', '/guides/add-gpus.html'],
  ['pause reconciliation', '/guides/freeze-a-cluster.html'],
  ['delete tenant', '/guides/remove-a-tenant.html'],
  ['renew certificates', '/guides/rotate-certificates.html'],
  ['disaster recovery', '/guides/backup-and-restore.html'],
  ['postgres datastore migrate', '/guides/move-to-another-data-store.html'],
  ['metrics dashboards', '/guides/monitor-a-tenant.html'],
  ['prometheus', '/addons/kube-prometheus-stack.html'],
  ['ingress load balancer', '/guides/expose-an-application.html'],
  ['volume snapshot', '/guides/storage-and-snapshots.html'],
  ['helm values password', '/guides/secret-values.html'],
  ['own helm chart addon', '/guides/write-an-addon.html'],
  ['own operator', '/guides/custom-controller.html'],
  ['keycloak sso login', '/guides/oidc-login.html'],
  ['egress', '/guides/network-policies.html'],
  ['limit cpu of a tenant', '/guides/quotas.html'],
  ['audit policy', '/guides/audit-log.html'],
  ['encryption at rest', '/guides/encrypt-secrets.html'],
  ['calico or cilium', '/guides/choose-a-pod-network.html'],
  ['multus vlan', '/guides/attach-a-network.html'],
  ['endpoint of the api server', '/guides/api-server-address.html'],
  ['kubeadm', '/guides/kubeadm-control-plane.html'],
  ['vultr', '/guides/use-vultr.html'],
  ['bare metal hosts', '/guides/use-nifcloud.html'],
  ['pull request comment', '/guides/ci-with-plans.html'],
  ['unit test', '/guides/test-your-page.html'],
  ['update versions automatically', '/guides/renovate.html'],
  ['ignore warning', '/guides/silence-a-rule.html'],
  ['json patch', '/guides/patch-any-field.html'],
  ['image digest', '/guides/pin-images.html'],
  ['registry mirror offline', '/guides/air-gap.html'],
  ['many clusters', '/fleet.html'],
  ['cozystack', '/guides/migrate-from-cozystack.html'],
  ['clusterctl generate', '/guides/migrate-from-clusterctl.html'],
  ['import existing yaml', '/guides/migrate-from-yaml.html'],
  ['machine stuck provisioning', '/troubleshooting/machine-never-becomes-a-node.html'],
  ['NotReady', '/troubleshooting/node-not-ready.html'],
  ['external ip pending', '/troubleshooting/load-balancer-pending.html'],
  ['pvc pending', '/troubleshooting/pvc-pending.html'],
  ['helmrelease not ready', '/troubleshooting/addon-waits.html'],
  ['finalizer stuck deleting', '/troubleshooting/cluster-does-not-go-away.html'],
  ['rolling update stuck', '/troubleshooting/rollout-stuck.html'],
  ['kubectl logs timeout', '/troubleshooting/logs-and-exec-fail.html'],
  ['velero', '/addons/velero.html'],
  ['plan --exit-code', '/command-line.html'],
  ['KamajiControlPlane', '/reference/kamaji/KamajiControlPlane.html'],
];

/** Words of a newcomer, and the page that must come first. */
const FIRST = [
  ['install', '/getting-started.html'],
  ['quick start', '/getting-started.html'],
  ['supported Kubernetes version', '/versions.html'],
  ['upgrade the library', '/guides/upgrade-the-library.html'],
  ['proxy settings', '/guides/company-network.html'],
  ['http_proxy', '/guides/company-network.html'],
  ['custom CA certificate', '/guides/company-network.html'],
  ['private registry', '/guides/company-network.html'],
  ['private helm repository', '/guides/company-network.html'],
  ['imagePullSecrets', '/guides/company-network.html'],
  ['pull secret', '/guides/company-network.html'],
  ['cloud-init', '/guides/guest-settings.html'],
  ['ssh into a node', '/guides/guest-settings.html'],
  ['ntp', '/guides/guest-settings.html'],
  ['extra kubelet arguments', '/guides/guest-settings.html'],
  ['api server flags', '/guides/api-server-flags.html'],
  ['feature gates', '/guides/api-server-flags.html'],
  ['second management cluster', '/guides/several-management-clusters.html'],
  ['external infrastructure cluster', '/guides/external-infrastructure-cluster.html'],
  ['machines in another cluster', '/guides/external-infrastructure-cluster.html'],
  ['addresses of a second network', '/guides/second-network-addresses.html'],
  ['static ip', '/guides/api-server-address.html'],
  ['load balancer address', '/guides/api-server-address.html'],
  ['node local dns', '/addons/node-local-dns.html'],
  ['cert-manager', '/addons/cert-manager.html'],
  ['ingress nginx', '/addons/ingress-nginx.html'],
  ['build node image', '/guides/build-the-images.html'],
  ['build csi driver image', '/guides/build-the-images.html'],
  ['adopt existing cluster', '/guides/migrate-from-clusterctl.html'],
  ['upgrade kubernetes', '/guides/upgrade-kubernetes.html'],
  ['add gpu', '/guides/add-gpus.html'],
  ['bigger machines more memory', '/guides/resize-machines.html'],
  ['own infrastructure provider', '/strategies.html'],
  ['workload identity', '/guides/api-server-flags.html'],
  ['remove tenant', '/guides/remove-a-tenant.html'],
  ['oidc', '/guides/oidc-login.html'],
  ['multus', '/guides/attach-a-network.html'],
  ['backup', '/guides/backup-and-restore.html'],
  ['air gap', '/guides/air-gap.html'],
  ['autoscaler', '/guides/autoscale-from-zero.html'],
  ['node not ready', '/troubleshooting/node-not-ready.html'],
  ['gitlab', '/guides/ci-with-plans.html'],
];

/** Guides and the like all; of rules, addons and classes, which are generated, a few. */
const LOOKED_AT = pages().filter((page) => !/^\/(rules|reference|addons|404)/.test(page))
  .concat('/rules/', '/rules/TC-ADMIT-KUBERNETES-DATA-SIZE.html', '/addons/', '/addons/cilium.html', '/reference/', '/reference/kamaji/KamajiControlPlane.html');

let site;
let browser;

before(async () => {
  site = await serve();
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
});

after(async () => {
  await browser?.close();
  site?.close();
});

/** Opens a tab whose errors, and whose requests to other hosts, are collected. */
async function tab(width) {
  const page = await browser.newPage({ viewport: { width, height: 900 } });
  const faults = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(`${page.url()}: ${message.text()}`));
  page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(site.address) && !request.url().startsWith('data:')) faults.push(`${page.url()} asks ${request.url()}`);
  });
  page.on('response', (response) => response.status() < 400 || faults.push(`${response.url()}: status ${response.status()}`));
  return { page, faults };
}

for (const [name, width] of [['a large screen', 1920], ['a desktop', 1280], ['a phone', 390]]) {
  test(`pages have no error and no horizontal scrolling on ${name}`, async () => {
    const { page, faults } = await tab(width);
    const wide = [];
    for (const path of LOOKED_AT) {
      await page.goto(site.address + path, { waitUntil: 'networkidle' });
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      if (excess > 0) wide.push(`${path}: ${excess} px`);
      const cut = await page.evaluate(() => [...document.querySelectorAll('.vp-doc pre')].filter((sample) => sample.scrollWidth > sample.clientWidth).length);
      if (cut > 0) wide.push(`${path}: ${cut} samples are cut`);
    }
    await page.close();

    assert.deepEqual({ faults, wide }, { faults: [], wide: [] });
  });
}

test('the search finds rules, tasks, addons and classes', async () => {
  const { page, faults } = await tab(1280);
  await page.goto(site.address, { waitUntil: 'networkidle' });
  const questions = [...QUESTIONS];
  for (const path of pages().filter((one) => /^\/(guides|troubleshooting)\//.test(one))) {
    await page.goto(site.address + path);
    questions.push([(await page.locator('h1').first().innerText()).replaceAll(/\u200b/g, '').trim(), path.replace(/index\.html$/, '')]);
  }
  const missed = [];
  for (const [words, path, isFirst] of [...questions, ...FIRST.map((question) => [...question, true])]) {
    await page.keyboard.press('Control+k');
    await page.locator('.search-input').fill(words);
    const found = page.locator('.results a.result');
    // The search waits for a pause in typing, and loads its index the first time.
    await page.waitForTimeout(500);
    await found.first().waitFor({ timeout: 10_000 }).catch(() => undefined);
    // A page has a result for each section that fits.
    const hrefs = [...new Set(await found.evaluateAll((links) => links.map((link) => new URL(link.href).pathname)))].slice(0, 5);
    if (!(isFirst ? hrefs.slice(0, 1) : hrefs).includes(path)) missed.push(`${words}: ${path} is not among ${hrefs.join(', ')}`);
    await page.keyboard.press('Escape');
  }
  await page.close();

  assert.deepEqual({ faults, missed }, { faults: [], missed: [] });
});
