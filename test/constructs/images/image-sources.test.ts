import fc from 'fast-check';
import { ImageLock } from '../../../src/constructs/images/image-lock';
import { ImageSources, ImageSourcesProps } from '../../../src/constructs/images/image-sources';
import { parseImageName, tagAndDigest } from '../../../src/manifests/images/image-lock-file';

const DIGEST = `sha256:${'a'.repeat(64)}`;
const OTHER = `sha256:${'b'.repeat(64)}`;
const REGISTRY = 'registry.internal:5000/mirror';
const resolve = (props: ImageSourcesProps, image: string) => new ImageSources(props)._resolver.resolve(image).image;
const problems = (props: ImageSourcesProps) => new ImageSources(props)._check('images').map(({ rule, property }) => [rule.id, property]);

describe('a registry for all images', () => {
  test.each([
    ['quay.io/cilium/cilium:v1.20.0', `${REGISTRY}/cilium/cilium:v1.20.0`],
    [`quay.io/cilium/cilium:v1.20.0@${DIGEST}`, `${REGISTRY}/cilium/cilium:v1.20.0@${DIGEST}`],
    ['busybox:1.37.0', `${REGISTRY}/library/busybox:1.37.0`],
    ['velero/velero:v1.18.1', `${REGISTRY}/velero/velero:v1.18.1`],
    ['index.docker.io/velero/velero:v1.18.1', `${REGISTRY}/velero/velero:v1.18.1`],
    ['localhost:5000/app:v1', `${REGISTRY}/app:v1`],
    ['registry.internal:5000/app:v1', 'registry.internal:5000/app:v1'],
    ['registry.internal/app:v1', `${REGISTRY}/app:v1`],
    [`${REGISTRY}/app:v1`, `${REGISTRY}/app:v1`],
    ['Not An Image', 'Not An Image'],
  ])('%s comes from %s', (image, expected) => {
    expect(resolve({ imageRegistry: REGISTRY }, image)).toBe(expected);
  });

  test.each(['https://registry.internal', 'registry.internal/', 'mirror', 'Registry.Internal/Mirror', ''])('TC-IMAGE-REGISTRY: "%s"', (imageRegistry) => {
    expect(problems({ imageRegistry })).toEqual([['TC-IMAGE-REGISTRY', 'images.imageRegistry']]);
  });

  test.each(['registry.internal', 'registry.internal:5000', REGISTRY, 'localhost', 'localhost:5000/mirror'])('"%s" is one', (imageRegistry) => {
    expect(problems({ imageRegistry })).toEqual([]);
  });
});

describe('overrides', () => {
  const overrides = { 'quay.io/x/y': 'ghcr.io/a/b', 'quay.io/x/y:v2': 'ghcr.io/a/c:v3', [`quay.io/x/z@${DIGEST}`]: `ghcr.io/a/z@${OTHER}`, 'busybox': 'quay.io/team/busybox' };

  test.each([
    ['quay.io/x/y:v1', 'ghcr.io/a/b:v1'],
    [`quay.io/x/y:v1@${DIGEST}`, `ghcr.io/a/b:v1@${DIGEST}`],
    ['quay.io/x/y:v2', 'ghcr.io/a/c:v3'],
    [`quay.io/x/y:v2@${DIGEST}`, 'ghcr.io/a/c:v3'],
    [`quay.io/x/z@${DIGEST}`, `ghcr.io/a/z@${OTHER}`],
    [`quay.io/x/z:v1@${DIGEST}`, `ghcr.io/a/z@${OTHER}`],
    ['quay.io/x/z:v1', 'quay.io/x/z:v1'],
    ['docker.io/library/busybox:1', 'quay.io/team/busybox:1'],
    ['quay.io/x/yy:v1', 'quay.io/x/yy:v1'],
  ])('%s becomes %s', (image, expected) => {
    expect(resolve({ overrides }, image)).toBe(expected);
  });

  test('the registry for all images does not reach them', () => {
    expect(resolve({ overrides, imageRegistry: REGISTRY }, 'quay.io/x/y:v1')).toBe('ghcr.io/a/b:v1');
  });

  test('TC-IMAGE-OVERRIDE: neither side may be anything but an image', () => {
    expect(problems({ overrides: { 'https://quay.io/x': 'quay.io/x', 'quay.io/y': 'Quay.io/Y' } })).toEqual([
      ['TC-IMAGE-OVERRIDE', 'images.overrides["https://quay.io/x"]'], ['TC-IMAGE-OVERRIDE', 'images.overrides["quay.io/y"]'],
    ]);
  });
});

describe('a lock', () => {
  const lock = ImageLock.of({ 'quay.io/x/y:v1': DIGEST, [`${REGISTRY}/x/z:v1`]: OTHER, 'ghcr.io/a/c:v3': OTHER });

  test.each<[what: string, props: ImageSourcesProps, image: string, expected: string]>([
    ['the digest of the tag', {}, 'quay.io/x/y:v1', `quay.io/x/y:v1@${DIGEST}`],
    ['the name without mirror', { imageRegistry: REGISTRY }, 'quay.io/x/y:v1', `${REGISTRY}/x/y:v1@${DIGEST}`],
    ['the name in the mirror', { imageRegistry: REGISTRY }, 'quay.io/x/z:v1', `${REGISTRY}/x/z:v1@${OTHER}`],
    ['the repository that takes its place', { overrides: { 'quay.io/x/y': 'ghcr.io/a/b' } }, 'quay.io/x/y:v1', `ghcr.io/a/b:v1@${DIGEST}`],
    ['the image that takes its place', { overrides: { 'quay.io/x/y': 'ghcr.io/a/c:v3' } }, 'quay.io/x/y:v1', `ghcr.io/a/c:v3@${OTHER}`],
    ['a digest that is there', {}, `quay.io/x/y:v1@${OTHER}`, `quay.io/x/y:v1@${OTHER}`],
    ['another tag', {}, 'quay.io/x/y:v2', 'quay.io/x/y:v2'],
    ['no tag', {}, 'quay.io/x/y', 'quay.io/x/y'],
  ])('%s', (_, props, image, expected) => {
    expect(resolve({ lock, ...props }, image)).toBe(expected);
  });

  test('its faults are those of the sources', () => {
    expect(problems({ lock: ImageLock.of({ x: '' }) })).toEqual([['TC-IMAGE-LOCK', 'images.lock']]);
  });
});

describe('charts', () => {
  const props = { chartRepositories: { 'https://charts.example.com/': 'oci://registry.internal/charts' }, chartRegistry: 'oci://registry.internal/other' };
  const repository = (address: string, git?: boolean) => new ImageSources(props)._resolver.chartRepository(address, git);

  test('a mirror of the repository goes before the one for all', () => {
    expect(repository('https://charts.example.com')).toEqual({ repository: 'oci://registry.internal/charts', mirror: 'https://charts.example.com/' });
    expect(repository('https://other.example.com')).toEqual({ repository: 'oci://registry.internal/other' });
    expect(repository('oci://registry.internal/charts')).toEqual({ repository: 'oci://registry.internal/charts' });
    expect(repository('https://github.com/x/y', true)).toEqual({ repository: 'https://github.com/x/y' });
  });

  test('TC-IMAGE-MIRROR', () => {
    expect(problems({ chartRepositories: { 'charts.example.com': 'https://x.example.com', 'https://x.example.com': 'ftp://y' }, chartRegistry: 'registry.internal' })).toEqual([
      ['TC-IMAGE-MIRROR', 'images.chartRepositories["charts.example.com"]'],
      ['TC-IMAGE-MIRROR', 'images.chartRepositories["https://x.example.com"]'],
      ['TC-IMAGE-MIRROR', 'images.chartRegistry'],
    ]);
  });
});

test('twice is the same as once, and path, tag and digest stay', () => {
  const part = fc.stringMatching(/^[a-z0-9]{1,6}(-[a-z0-9]{1,4})?$/);
  const host = fc.constantFrom('', 'quay.io/', 'localhost:5000/', 'registry.internal:5000/', 'docker.io/');
  const image = fc.tuple(host, fc.array(part, { minLength: 1, maxLength: 3 }), fc.constantFrom('', ':v1', `@${DIGEST}`, `:v1@${DIGEST}`))
    .map(([registry, path, end]) => `${registry}${path.join('/')}${end}`);
  const sources = new ImageSources({ imageRegistry: REGISTRY, lock: ImageLock.of({ 'quay.io/a:v1': OTHER }) });
  fc.assert(fc.property(image, (name) => {
    const once = sources._resolver.resolve(name);
    expect(sources._resolver.resolve(once.image)).toEqual({ image: once.image, changed: false, override: undefined });
    const [before, after] = [parseImageName(name)!, parseImageName(once.image)!];
    // An image at the mirror's host already keeps its name.
    expect(after.name).toBe(before.host === 'registry.internal:5000' ? before.name : `${REGISTRY}/${before.path}`);
    expect(`${tagAndDigest(after)}`.startsWith(tagAndDigest(before))).toBe(true);
  }));
});
