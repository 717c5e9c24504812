import { ruleEnvironment } from '../schema/cel';

test.each([
  'has(self.a)',
  '!has(self.b)',
  'self.list.all(x, x > 0)',
  'self.list.exists(x, x == 2)',
  'self.list.exists_one(x, x == 2)',
  'self.list.filter(x, x > 1).size() == 2',
  'self.list.map(x, x * 2) == [6, 2, 4]',
  'self.map.all(key, key in ["k", "l"])',
  'self.map.exists(key, self.map[key] == "v")',
  'size("🐈") == 1 && size(self.list) == 3',

  '"abc".matches("^[a-c]+$")',
  '"a,b".split(",") == ["a", "b"]',
  '"ABC".lowerAscii() == "abc" && "abc".upperAscii() == "ABC"',
  '"abc".startsWith("a") && "abc".endsWith("c") && "abc".contains("b")',
  '"abc 123".find("[0-9]+") == "123" && "abc".find("[0-9]") == ""',
  '"1 2 3".findAll("[0-9]") == ["1", "2", "3"] && "1 2 3".findAll("[0-9]", 2) == ["1", "2"]',
  '"hello".charAt(1) == "e" && "hello".indexOf("l") == 2 && "hello".substring(1, 3) == "el"',
  '"aXbX".replace("X", "-") == "a-b-" && "abc".reverse() == "cba" && " a ".trim() == "a"',
  '["a", "b"].join("-") == "a-b"',
  '"%s is %d, %.2f, %x%%".format(["a", 3, 1.5, 255]) == "a is 3, 1.50, ff%"',
  '"%s".format([[1, 2]]) == "[1, 2]"',

  '[1, 2, 2].isSorted() && !["b", "a"].isSorted()',
  'sets.contains([1, 2], [2]) && !sets.intersects([1], [2]) && sets.equivalent([1, 2], [2, 1])',
  '[1, 2].reverse() == [2, 1] && [1, 2, 3].slice(1, 3) == [2, 3] && [[1], [2]].flatten() == [1, 2]',
  '[1, 2].sum() == 3 && [0.5, 1.5].sum() == 2.0',
  'self.list.min() == 1 && self.list.max() == 3',
  '[1, 2, 1].indexOf(1) == 0 && [1, 2, 1].lastIndexOf(1) == 2 && [1].indexOf(9) == -1',
  '["b", "a", "b"].distinct() == ["b", "a"]',

  'isIP("192.0.2.1") && isIP("fd00::1") && !isIP("192.0.2.1/24") && !isIP("01.2.3.4") && !isIP("fe80::1%eth0") && !isIP("::ffff:1.2.3.4")',
  'ip("fd00:0::1").family() == 6 && string(ip("FD00:0::1")) == "fd00::1" && ip("fd00::1") == ip("fd00:0::1")',
  'ip("127.0.0.1").isLoopback() && ip("::").isUnspecified() && ip("fe80::1").isLinkLocalUnicast()',
  'isCIDR("10.0.0.0/8") && isCIDR("10.0.0.1/8") && isCIDR("::/0") && !isCIDR("10.0.0.0") && !isCIDR("10.0.0.0/33") && !isCIDR("10.0.0.0/08")',
  'cidr("10.0.0.0/8").containsIP("10.1.2.3") && !cidr("10.0.0.0/8").containsIP(ip("11.0.0.1")) && !cidr("10.0.0.0/8").containsIP("::1")',
  'cidr("10.0.0.0/8").containsCIDR("10.1.0.0/16") && !cidr("10.1.0.0/16").containsCIDR(cidr("10.0.0.0/8"))',
  'cidr("10.0.0.0/8").prefixLength() == 8 && cidr("10.0.0.0/8").ip().family() == 4',
  'isURL("https://example.org:8443/a") && isURL("/a") && !isURL("example.org")',
  'url("https://example.org:8443/a").getHost() == "example.org:8443" && url("https://[::1]/").getHostname() == "::1"',
  'url("https://example.org:8443/a").getScheme() == "https" && url("https://e.org:8443/a").getPort() == "8443" && url("/a").getEscapedPath() == "/a"',

  'isQuantity("1.5Gi") && isQuantity("500m") && isQuantity("1e3") && !isQuantity("10MB") && !isQuantity("")',
  'quantity("1Gi") == quantity("1024Mi") && quantity("1").compareTo(quantity("1000m")) == 0',
  'quantity("2Gi").isGreaterThan(quantity("2G")) && quantity("-1").sign() == -1 && quantity("1k").asInteger() == 1000',
  '!quantity("500m").isInteger() && quantity("1e3").add(quantity("1")).asInteger() == 1001 && quantity("1").sub(2).sign() == -1',

  'duration("1h30m").getSeconds() == 5400 && duration("1s") < duration("2s")',
  'timestamp("2026-01-01T00:00:00Z") < timestamp("2026-01-02T00:00:00Z")',
  'optional.none().orValue(3) == 3 && self.?b.orValue("x") == "x"',
])('%s', rule => {
  const self = { a: 1n, list: [3n, 1n, 2n], map: Object.assign(Object.create(null), { k: 'v' }) };
  expect(ruleEnvironment.evaluate(rule, { self: Object.assign(Object.create(null), self) })).toBe(true);
});

test.each(['ip("x")', 'cidr("10.0.0.0")', 'url("x")', 'quantity("1MB")', 'quantity("1m").asInteger()', '[].min()', '"%s %s".format(["a"])'])('%s is an error', rule => {
  expect(() => ruleEnvironment.evaluate(rule)).toThrow();
});
