import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { Chart, Testing } from 'cdk8s';
import { AddonSet } from '../../../src/constructs/addons/addon-set';
import { EncryptionRewrite, EncryptionRewriteProps } from '../../../src/constructs/addons/encryption-rewrite';
import { clusterContext } from '../../support/contexts';
import { problemsIn } from '../../support/problems';

const PROPS: EncryptionRewriteProps = { key: '2026', image: 'registry.example.com/kubectl:1.35.4' };

function objectsOf(props: Partial<EncryptionRewriteProps> = {}): any[] {
  const tenant = new Chart(Testing.app(), 'tenant');
  new EncryptionRewrite({ ...PROPS, ...props }).bind(tenant, clusterContext());
  return tenant.toJson();
}

const jobOf = (objects: readonly any[]) => objects.find(({ kind }) => kind === 'Job');

test('a Job may read and update what is encrypted, and nothing else', () => {
  const [account, role, binding, job] = objectsOf({ resources: ['secrets', 'orders.shop.example.com'] });

  expect([account.kind, role.kind, binding.kind, job.kind]).toEqual(['ServiceAccount', 'ClusterRole', 'ClusterRoleBinding', 'Job']);
  expect(role.rules).toEqual([
    { apiGroups: [''], resources: ['namespaces'], verbs: ['list'] },
    { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'update'] },
    { apiGroups: ['shop.example.com'], resources: ['orders'], verbs: ['get', 'list', 'update'] },
  ]);
  expect(job.spec.template.spec.serviceAccountName).toBe(account.metadata.name);
});

test('another key makes another Job, since a Job cannot change', () => {
  const names = [{}, {}, { key: '2027' }].map((props) => jobOf(objectsOf(props)).metadata.name);

  expect(names[0]).toMatch(/^encryption-rewrite-[0-9a-f]{8}$/);
  expect(names[1]).toBe(names[0]);
  expect(names[2]).not.toBe(names[0]);
});

describe('the script', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'encryption-rewrite-'));

  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

  /** Runs the script with a kubectl that knows two namespaces, of which one has Secrets. */
  function run(failing = 'nothing'): { readonly status: number; readonly calls: string[] } {
    const log = path.join(folder, 'calls');
    fs.rmSync(log, { force: true });
    const kubectl = `#!/bin/sh
echo "$@" >> ${log}
case "$*" in
  *${failing}*) exit 1 ;;
  *namespaces*) printf 'full empty' ;;
  *full*json) printf '{"items": [1]}' ;;
  *full*name) printf 'secret/a\\n' ;;
  *json) printf '{"items": []}' ;;
esac
`;
    fs.writeFileSync(path.join(folder, 'kubectl'), kubectl, { mode: 0o755 });
    const [, , script] = jobOf(objectsOf()).spec.template.spec.containers[0].command;
    let status = 0;
    try {
      execFileSync('sh', ['-c', script.replaceAll('/tmp', folder)], { env: { PATH: `${folder}:${process.env.PATH}` } });
    } catch (error) {
      status = (error as { status: number }).status;
    }
    return { status, calls: fs.readFileSync(log, 'utf8').trim().split('\n') };
  }

  test('writes the objects of each namespace that has some', () => {
    const { status, calls } = run();

    expect(status).toBe(0);
    expect(calls.filter((call) => call.startsWith('replace'))).toEqual([`replace --filename=${folder}/objects.json`]);
    expect(calls.filter((call) => call.includes('--namespace=empty'))).toHaveLength(2);
  });

  test.each(['namespaces', '--output=json', '--output=name', 'replace'])('fails when kubectl fails at "%s", so that the Job is not complete', (failing) => {
    expect(run(failing).status).not.toBe(0);
  });
});

test.each<[Partial<EncryptionRewriteProps>, string]>([
  [{ key: 'a b' }, 'TC-ADDON-ENCRYPTION-REWRITE encryption-rewrite.key: "a b" is no name of a key'],
  [{ image: 'registry.example.com/kubectl:latest' }, 'TC-CONTROLLER-IMAGE-UNPINNED encryption-rewrite.image: '],
  [{ resources: [] }, 'TC-ADDON-ENCRYPTION-REWRITE encryption-rewrite.resources: it is empty'],
  [{ resources: ['secrets; rm'] }, 'TC-ADDON-ENCRYPTION-REWRITE encryption-rewrite.resources[0]: "secrets; rm" is not a resource'],
])('%j is refused', (props, problem) => {
  const found = problemsIn((app) => {
    const owner = new Chart(app, 'acme');
    new AddonSet(owner, clusterContext(), { scope: owner }, ['pod-network']).add(new EncryptionRewrite({ ...PROPS, ...props }));
  });
  expect(found.map(({ id, text }) => `${id} ${text}`)).toEqual([expect.stringContaining(problem)]);
});
