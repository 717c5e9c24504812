import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Duration } from 'cdk8s';
import { parse } from 'yaml';
import { delivering, manifestsOf, outputOf, Written } from './managed';
import { Versions } from '../../../src/constructs/contracts/versions';
import { EtcdBackup } from '../../../src/constructs/management/etcd-backup';
import { KamajiDataStore } from '../../../src/constructs/management/kamaji-data-store';
import { KamajiInstallation } from '../../../src/constructs/management/kamaji-installation';
import { BUSYBOX, ETCD, imageName } from '../../../src/manifests/values/versions';

const GUIDE = readFileSync(join(__dirname, '../../../docs/restore-data-store.md'), 'utf8');

/** The blocks of a language in the guide. */
function blocks(language: string): string[] {
  return [...GUIDE.matchAll(new RegExp(`^( *)\`\`\`${language}\n([^]*?)^ *\`\`\``, 'gm'))].map(([, indent, text]) => text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''));
}

/** Output of the page of TypeScript in the guide, in a management cluster called `management`. */
function written(): ReturnType<typeof outputOf> {
  const [page] = blocks('ts');
  const store = new Function('management', 'Duration', `return ${page}`)({ KamajiDataStore, EtcdBackup }, Duration) as KamajiDataStore;
  return outputOf({ kamaji: KamajiInstallation.chart({ dataStores: [store] }) });
}

test('the guide names the objects that its page makes', () => {
  const output = written();
  const shell = blocks('sh').join('').replaceAll('hall-1-', 'management-');
  const guard: Written[] = manifestsOf(output, 'etcd-default-guard');
  const [cronJob] = guard.filter(({ kind }) => kind === 'CronJob');
  const [job] = guard.filter(({ kind }) => kind === 'Job');

  expect(shell).toContain(`-n ${cronJob.metadata.namespace} create job etcd-default-now --from=cronjob/${cronJob.metadata.name}`);
  expect(shell).toContain(`suspend kustomization ${Object.keys(delivering(output, 'Kustomization')).filter((name) => name.endsWith('etcd-default-guard')).join()}\n`);
  expect(Object.keys(delivering(output, 'HelmRelease'))).toEqual(expect.arrayContaining(['management-etcd-default', 'management-kamaji']));
  expect(shell).toContain('suspend helmrelease management-etcd-default management-kamaji\n');
  const selector = /delete job -l (\S+)/.exec(shell)![1].split(',').map((label) => label.split('='));
  expect(job.metadata.labels).toMatchObject(Object.fromEntries(selector));
});

test('the pod of the guide restores with the programs of the installed etcd, and mounts the volume of one member only', () => {
  const [pod] = blocks('yaml').map((text) => parse(text) as Written);
  const [receive, restore] = pod.spec.initContainers;

  expect(restore.image).toBe(imageName(ETCD, Versions.newest()));
  const busybox = imageName(BUSYBOX, Versions.newest());
  expect([receive, ...pod.spec.containers].map(({ image }) => image)).toEqual([busybox, busybox]);
  expect(pod.spec.volumes).toEqual([{ name: 'data', persistentVolumeClaim: { claimName: 'data-etcd-default-NUMBER' } }, { name: 'snapshot', emptyDir: {} }]);
});
