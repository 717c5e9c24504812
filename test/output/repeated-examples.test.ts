import { exampleNames, runExample } from '../support/examples';

test.each(exampleNames())('the example %s writes the same bytes when it runs again in one process', (name) => {
  const first = runExample(name);

  expect(Object.keys(first).length).toBeGreaterThan(0);
  expect(runExample(name)).toEqual(first);
});
