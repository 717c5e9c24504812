import { exampleNames, runExample } from '../support/examples';

// Without these, each run would load the library anew, and a run could leave nothing to the next one.
const PACKAGES = ['cdk8s', 'cdk8s-plus-28', 'constructs', 'cdk8s-cluster-api'];

const LOADED = new Map(PACKAGES.map((name) => [name, jest.requireActual<object>(name)]));

beforeAll(() => LOADED.forEach((loaded, name) => jest.doMock(name, () => loaded)));

test('all runs have the same library', () => {
  jest.isolateModules(() => {
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    for (const [name, loaded] of LOADED) expect(require(name)).toBe(loaded);
  });
});

test.each(exampleNames())('the example %s writes the same bytes when it runs again in one process', (name) => {
  const first = runExample(name);

  expect(Object.keys(first).length).toBeGreaterThan(0);
  expect(runExample(name)).toEqual(first);
});
