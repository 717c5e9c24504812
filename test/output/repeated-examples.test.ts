import { exampleNames, runExample } from '../support/examples';
import { sample } from '../support/sample';

test.each(sample(exampleNames(), 3))('the example %s writes the same bytes when it runs again in one process', (name) => {
  const first = runExample(name);

  expect(Object.keys(first).length).toBeGreaterThan(0);
  expect(runExample(name)).toEqual(first);
});
