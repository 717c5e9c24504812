import { App } from 'cdk8s';
import { Construct } from 'constructs';
import { claimName, claimsExcused, excuseClaims } from '../../../../src/constructs/app/synth/claims';

test('a name belongs to the construct that claims it first, in its kind and app', () => {
  const app = new App();
  const [one, other] = [new Construct(app, 'one'), new Construct(app, 'other')];

  expect(claimName(one, 'Port', '80')).toBeUndefined();
  expect(claimName(other, 'Port', '80')).toBe('one');
  expect(claimName(other, 'Address', '80')).toBeUndefined();
  expect(claimName(new Construct(new App(), 'third'), 'Port', '80')).toBeUndefined();
});

test('a name may be unique within something smaller than the app', () => {
  const app = new App();
  const [one, other] = [new Construct(app, 'one'), new Construct(app, 'other')];
  const [here, there] = [{}, {}];

  expect(claimName(one, 'Port', '80', here)).toBeUndefined();
  expect(claimName(other, 'Port', '80', there)).toBeUndefined();
  expect(claimName(other, 'Port', '80')).toBeUndefined();
  expect(claimName(other, 'Port', '80', here)).toBe('one');
});

test('what is below a construct whose names are another one\'s claims nothing', () => {
  const app = new App();
  const [one, other] = [new Construct(app, 'one'), new Construct(app, 'other')];
  claimName(one, 'Port', '80');
  excuseClaims(other);
  const inner = new Construct(new Construct(other, 'scope'), 'inner');

  expect([one, other, inner].map(claimsExcused)).toEqual([false, false, true]);
  expect(claimName(inner, 'Port', '80')).toBeUndefined();
  expect(claimName(inner, 'Port', '81')).toBeUndefined();
  expect(claimName(one, 'Port', '81')).toBeUndefined();
  expect(claimName(other, 'Port', '80')).toBe('one');
});
