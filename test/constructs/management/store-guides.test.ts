import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { manifestsOf, outputOf, withEtcd, Written } from './managed';

function guide(page: string): string {
  return readFileSync(join(__dirname, '../../../docs', page), 'utf8');
}

const GUARD: Written[] = manifestsOf(outputOf(withEtcd()), 'etcd-default-guard');

test('the pod with etcdctl has the access of the Job that enables authentication', () => {
  const [text] = /(?<=```yaml\n)[^]*?(?=```)/.exec(guide('guides/look-after-a-data-store.md'))!;
  const { metadata, spec } = parse(text, { version: '1.1' }) as Written;
  const job = GUARD.find(({ kind }) => kind === 'Job');
  const { containers: [program], ...pod } = job.spec.template.spec;

  expect(metadata).toEqual({ name: 'etcd-default-tools', namespace: job.metadata.namespace });
  expect({ ...spec, containers: [] }).toEqual({ ...pod, restartPolicy: 'Never', containers: [] });
  const { env, image, securityContext, volumeMounts } = program;
  expect(spec.containers).toEqual([{ name: 'etcdctl', command: ['sleep', 'infinity'], env, image, securityContext, volumeMounts }]);
});

test('the guides name the objects that are made', () => {
  const text = ['guides/look-after-a-data-store.md', 'troubleshooting/data-store-full.md'].map(guide).join('\n');

  for (const name of ['etcd-default-defragmentation', 'etcd-default']) expect(GUARD.map(({ metadata }) => metadata.name)).toContain(name);
  expect(text).toContain('--from=cronjob/etcd-default-defragmentation\n');
});
