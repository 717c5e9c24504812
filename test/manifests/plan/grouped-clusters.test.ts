import { planned, TenantPage, written } from './tenant-pages';
import { PoolSize } from '../../../src/constructs/contracts/node-pool/pool-size';
import { KamajiControlPlane } from '../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { RootDisk } from '../../../src/constructs/infrastructures/kubevirt/root-disk';
import { planText } from '../../../src/manifests/plan/plan-text';

type Pages = { readonly [name: string]: readonly [before: TenantPage, after: TenantPage] };

/** The plan of a fleet, without the first line. */
function fleet(pages: Pages, columns?: number): string {
  const states = [0, 1].map((state) => Object.entries(pages).flatMap(([name, versions]) => written(versions[state], name)));
  return planText(planned(states[0], states[1]), { colors: false, objects: false, columns }).replace(/^[^]*?\n\n/, '');
}

const image = (tag: string): TenantPage => ({ machine: { rootDisk: RootDisk.containerDisk({ image: `registry.example.com/nodes/${tag}` }) } });
const names = (...certSans: string[]): TenantPage => ({
  cluster: { controlPlane: new KamajiControlPlane({ dataStore: 'default', certSans }) },
});

describe('a fleet is one group', () => {
  test('whose pools differ in size', () => {
    const pages = (size: number): Pages[string] => [
      { pool: { size: PoolSize.fixed(size) } }, { pool: { size: PoolSize.fixed(size) }, machine: { cpu: 8 } },
    ];
    const text = fleet({ a: pages(3), b: pages(4), c: pages(3) });

    expect(text).toContain('tenant-a/a: changed; the same for tenant-b/b, tenant-c/c\n');
    expect(text).toContain('3 to 4 machines are replaced, 1 at a time: cpu 4 -> 8');
    expect(text).toContain('in each cluster: 3 (2 clusters) or 4 (1 cluster)\n');
    expect(text.match(/: changed/g)).toHaveLength(1);
  });

  test('that is scaled from and to other sizes', () => {
    const pages = (from: number, to: number): Pages[string] => [{ pool: { size: PoolSize.fixed(from) } }, { pool: { size: PoolSize.fixed(to) } }];
    expect(fleet({ a: pages(8, 9), b: pages(6, 7), c: pages(8, 9) })).toContain('scaled: replicas 8 -> 9 (2 clusters) or 6 -> 7 (1 cluster)\n');
  });

  test('with images and host names of their own', () => {
    const images = (name: string): Pages[string] => [image(`${name}:1.35.3`), image(`${name}:1.35.4`)];
    expect(fleet({ a: images('a'), b: images('b') })).toContain('registry.example.com/nodes/<cluster>:1.35.3 -> registry.example.com/nodes/<cluster>:1.35.4\n');

    const hosts = (name: string): Pages[string] => [names(`${name}.example.com`), names(`${name}.example.com`, `api.${name}.example.com`)];
    const text = fleet({ blue: hosts('blue'), green: hosts('green') });
    expect(text).toContain('certificate names api.<cluster>.example.com added');
    expect(text.match(/: changed/g)).toHaveLength(1);
  });

  test('with values that have nothing in common, of which the first are listed', () => {
    const tags = (index: number): Pages[string] => [image(`t:${index}`), image(`t:${index + 100}`)];
    const pages = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`t${index}`, tags(index)] as const));
    const text = fleet(pages);
    expect(text.match(/: changed/g)).toHaveLength(1);
    expect(text).toContain('t:0 -> registry.example.com/nodes/t:100 (1 cluster) or registry.example.com/nodes/t:1 -> registry.example.com/nodes/t:101 (1 cluster)');
    expect(text).toContain(' or 3 other values\n');
  });
});

test('what happens keeps clusters apart', () => {
  const pages: Pages = {
    a: [{}, { machine: { cpu: 8 } }],
    b: [{}, { machine: { cpu: 8 }, pool: { size: PoolSize.fixed(0) } }],
    c: [{}, { pool: { size: PoolSize.fixed(4) } }],
    d: [names('d.example.com'), names()],
    e: [names(), names('e.example.com')],
  };
  expect(fleet(pages).match(/: changed/g)).toHaveLength(5);
});

describe('on a terminal', () => {
  const PAGES: Pages = { 'acme-insurance': [image('ubuntu:1.35.3'), { machine: { ...image('ubuntu:1.35.4').machine, cpu: 8 } }] };

  test.each([60, 80, 120])('of %d columns lines are wrapped', (columns) => {
    const [wide, narrow] = [fleet(PAGES), fleet(PAGES, columns)];
    expect(Math.max(...wide.split('\n').map((line) => line.length))).toBeGreaterThan(120);
    expect(Math.max(...narrow.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns);
    expect(narrow.split(/\s+/)).toEqual(wide.split(/\s+/));
  });
});
