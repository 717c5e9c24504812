import { ExitCode } from '../../../src/cli/command';
import { Workplace } from '../run';

let workplace: Workplace;
beforeEach(() => { workplace = new Workplace(); });
afterEach(() => workplace.remove());

/** An object that must be unique, and refers to nothing. */
const TEMPLATE = [
  'apiVersion: bootstrap.cluster.x-k8s.io/v1beta2', 'kind: KubeadmConfigTemplate', 'metadata: {name: acme, namespace: tenant-acme}',
  'spec: {template: {spec: {preKubeadmCommands: ["true"]}}}', '',
].join('\n');

function tree(name: string, object = TEMPLATE): { [file: string]: string } {
  return { [`dist/${name}/.cdk8s-cluster-api/management-cluster`]: `${name}\n`, [`dist/${name}/clusters/tenant-acme/acme/cluster.yaml`]: object };
}

test('each management cluster may have an object of the same name, if the output states them', async () => {
  workplace.write({ ...tree('hall-a'), ...tree('hall-b') });
  expect(await workplace.run(['validate'])).toMatchObject({ code: ExitCode.OK, err: '' });

  workplace.write({ 'dist/hall-b/charts/more.yaml': TEMPLATE });
  const { code, out } = await workplace.run(['validate']);
  expect(code).toBe(ExitCode.FINDINGS);
  expect(out.match(/TC-TRAP-REF-DUPLICATE/g)).toHaveLength(1);
  expect(out).toContain('dist/hall-b/');
  expect(out).not.toContain('dist/hall-a/');
});

test('folders alone are no management clusters', async () => {
  workplace.write({ 'dist/hall-a/cluster.yaml': TEMPLATE, 'dist/hall-b/cluster.yaml': TEMPLATE });
  expect((await workplace.run(['validate'])).out).toContain('TC-TRAP-REF-DUPLICATE');
});

test('what is in no tree is for each of them, and reported once', async () => {
  workplace.write({ ...tree('hall-a'), ...tree('hall-b'), 'dist/shared.yaml': `${TEMPLATE}---\napiVersion: v1\nkind: Namespace\nmetadata: {name: 5}\n` });
  const { out } = await workplace.run(['validate']);
  expect(out.match(/TC-ADMIT-FIELD-METADATA|TC-ADMIT-FIELD-TYPE/g)).toHaveLength(1);
  expect(out.match(/shared\.yaml/g)).toHaveLength(1);
  expect(out.match(/TC-TRAP-REF-DUPLICATE/g)).toHaveLength(1);
});

test('changes are those within a management cluster', async () => {
  workplace.write({ ...tree('hall-a'), ...tree('hall-b') });
  const { code, err } = await workplace.run(['validate', '--against', 'dist', 'dist']);
  expect([code, err]).toEqual([ExitCode.OK, '']);
});
