import { hasVariable, variableNames } from '../../../src/manifests/values/variables';

test('the names of variables are found, with and without defaults', () => {
  expect(variableNames('a-${ONE}-${TWO:={}}-$${THREE}-${ ')).toEqual(['ONE', 'TWO']);
  expect([hasVariable('${ONE}'), hasVariable('$${ONE}'), hasVariable('${ONE'), hasVariable('${ONE:=}}')]).toEqual([true, false, false, true]);
});

test('many beginnings without an end do not hold it up', () => {
  expect(hasVariable('${a:'.repeat(200_000))).toBe(false);
  expect(variableNames(`\${b}${'${a:'.repeat(200_000)}`)).toEqual(['b']);
});
