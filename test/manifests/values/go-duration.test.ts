import { Duration } from 'cdk8s';
import * as fc from 'fast-check';
import { goDuration, parseGoDuration } from '../../../src/manifests/values/go-duration';

const SECOND = 1_000_000_000n;

test.each([
  ['0', 0n], ['+0', 0n], ['0s', 0n], ['30s', 30n * SECOND], ['1m30s', 90n * SECOND], ['1.5h', 5400n * SECOND], ['.5s', SECOND / 2n], ['1.s', SECOND],
  ['2h45m30.5s', 9930n * SECOND + SECOND / 2n], ['300ms', 300_000_000n], ['1us', 1000n], ['1µs', 1000n], ['1μs', 1000n], ['7ns', 7n], ['-1m', -60n * SECOND],
  ['1s1s', 2n * SECOND],
])('%s', (text, nanoseconds) => {
  expect(parseGoDuration(text)).toBe(nanoseconds);
});

test.each(['', '+', '-', '60', '1 m', '1d', 'm', '.s', '1m30', '1h-1m', '1M', '1.2.3s', '10000000h'])('%p is no duration', (text) => {
  expect(parseGoDuration(text)).toBeUndefined();
});

test.each([
  [Duration.minutes(30), '30m0s'], [Duration.hours(1), '1h0m0s'], [Duration.seconds(0), '0s'], [Duration.seconds(59), '59s'], [Duration.seconds(90), '1m30s'],
  [Duration.millis(1500), '1.5s'], [Duration.millis(250), '250ms'], [Duration.millis(61_001), '1m1.001s'], [Duration.days(1), '24h0m0s'],
])('%p is written as Go does', (duration, text) => {
  expect(goDuration(duration)).toBe(text);
});

test('what is written is read back', () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 10 ** 12 }), (milliseconds) => {
    expect(parseGoDuration(goDuration(Duration.millis(milliseconds)))).toBe(BigInt(milliseconds) * 1_000_000n);
  }));
});
