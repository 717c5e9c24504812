import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withExample } from '../../support/examples';
import { parse } from '../../support/outputs';

const ROOT = join(__dirname, '../../..');
const GUIDE = readFileSync(join(ROOT, 'docs', 'strategies.md'), 'utf8');
const BLOCKS = [...GUIDE.matchAll(/```ts\n([^]*?)```/g)].map(([, block]) => block);

/** A file of the example from its first import on. */
function example(file: string): string {
  const text = readFileSync(join(ROOT, 'examples', 'own-strategies', file), 'utf8');
  return text.slice(text.indexOf('import '));
}

test('the programs in the guide are the example, whole', () => {
  expect(BLOCKS).toEqual([example('main.ts'), example('proxmox-talos.ts'), example('proxmox-provider.ts')]);
});

test('the example makes a cluster whose references resolve', () => {
  const objects = withExample('own-strategies', (outdir) => parse(readFileSync(join(outdir, 'acme.k8s.yaml'), 'utf8')));
  const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  const [pool] = objects.filter(({ kind }) => kind === 'MachineDeployment');
  const [controlPlane] = objects.filter(({ kind }) => kind === 'TalosControlPlane');
  const used = [controlPlane.spec.infrastructureTemplate, pool.spec.template.spec.infrastructureRef, pool.spec.template.spec.bootstrap.configRef];

  expect(used.map(({ kind }) => kind)).toEqual(['ProxmoxMachineTemplate', 'ProxmoxMachineTemplate', 'TalosConfigTemplate']);
  for (const { kind, name } of used) {
    expect(name).toMatch(/^acme-(control-plane|general)-[0-9a-f]{8}$/);
    expect(names).toContain(`${kind} ${name}`);
  }
});

test('what the guide links to has an address, because the package has no other page', () => {
  const targets = [...GUIDE.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target]) => target);

  expect(targets).toEqual([]);
});

test('the guide is in the package', () => {
  const ignored = readFileSync(join(ROOT, '.npmignore'), 'utf8').split('\n');

  expect(ignored).toEqual(expect.arrayContaining(['/docs/*', '!/docs/strategies.md']));
  expect(ignored).not.toContain('/docs/');
});
