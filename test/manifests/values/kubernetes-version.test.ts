import * as fc from 'fast-check';
import { KubernetesVersion, readableVersion } from '../../../src/manifests/values/kubernetes-version';

describe('KubernetesVersion', () => {
  test('reads both forms and writes one', () => {
    for (const text of ['1.35.4', 'v1.35.4']) {
      const version = KubernetesVersion.of(text);
      expect([version.major, version.minor, version.patch]).toEqual([1, 35, 4]);
      expect(`${version}`).toBe('v1.35.4');
      expect(version.minorVersion).toBe('1.35');
      expect(KubernetesVersion.isValid(text)).toBe(true);
    }
  });

  test.each([
    '', '1', '1.35', 'v1.35', '1.35.4.1', 'V1.35.4', 'vv1.35.4', '01.35.4', '1.035.4', '1.35.04', '1.35.4-rc.1', '1.35.4+build', ' 1.35.4', '1.35.4\n',
    '1.35.x', '-1.35.4', '1.35.99999999999',
  ])('%p is refused', (text) => {
    expect(KubernetesVersion.isValid(text)).toBe(false);
    expect(() => KubernetesVersion.of(text)).toThrow(/^Kubernetes version: ".*" is not an exact version; accepted is major\.minor\.patch/s);
  });

  test('compares by number', () => {
    const number = fc.integer({ min: 0, max: 40 });
    fc.assert(fc.property(fc.tuple(number, number, number), fc.tuple(number, number, number), (one, other) => {
      const order = KubernetesVersion.of(one.join('.')).compare(KubernetesVersion.of(other.join('.')));
      const rank = (version: number[]): number => (version[0] * 100 + version[1]) * 100 + version[2];
      expect(Math.sign(order)).toBe(Math.sign(rank(one) - rank(other)));
    }));
    expect(KubernetesVersion.of('1.35.10').compare(KubernetesVersion.of('v1.35.9'))).toBeGreaterThan(0);
  });
});

test('of a version that is refused, the minor is read if there is one', () => {
  expect(['1.35.4', '1.34', 'v1.34', '1.34.x', '1.35.4-rc.1'].map((text) => readableVersion(text).toString())).toEqual(['v1.35.4', 'v1.34.0', 'v1.34.0', 'v1.34.0', 'v1.35.0']);
  expect(['', 'latest', '2.3', '1.035', '1.340'].map((text) => readableVersion(text).minorVersion)).toEqual(Array(5).fill('1.0'));
});
