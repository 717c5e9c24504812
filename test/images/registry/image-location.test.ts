import { DOCKER_HUB_HOST, locateImage, loginCommand } from '../../../src/images/registry/image-location';

const DIGEST = `sha256:${'a'.repeat(64)}`;

test.each([
  ['busybox:1.37.0', DOCKER_HUB_HOST, 'library/busybox', '1.37.0'],
  ['docker.io/busybox:1', DOCKER_HUB_HOST, 'library/busybox', '1'],
  ['docker.io/library/busybox:1', DOCKER_HUB_HOST, 'library/busybox', '1'],
  ['index.docker.io/calico/cni:v3', DOCKER_HUB_HOST, 'calico/cni', 'v3'],
  ['calico/cni:v3', DOCKER_HUB_HOST, 'calico/cni', 'v3'],
  ['registry.k8s.io/pause:3.10', 'registry.k8s.io', 'pause', '3.10'],
  ['localhost/app:v1', 'localhost', 'app', 'v1'],
  ['registry:5000/team/app:v1', 'registry:5000', 'team/app', 'v1'],
  ['Registry/app:v1', 'Registry', 'app', 'v1'],
  ['[::1]:5000/app:v1', '[::1]:5000', 'app', 'v1'],
  [`quay.io/team/app:v1@${DIGEST}`, 'quay.io', 'team/app', DIGEST],
])('%s', (image, host, repository, reference) => {
  expect(locateImage(image)).toEqual({ host, repository, reference });
});

test.each(['busybox', 'quay.io/team/app', 'https://quay.io/team/app:v1', 'Team/../app:v1', ''])('%j is nowhere', (image) => {
  expect(locateImage(image)).toBeUndefined();
});

test('one logs in to Docker Hub without its name', () => {
  expect(loginCommand(DOCKER_HUB_HOST)).toBe('docker login');
  expect(loginCommand('r.example.com:5000')).toBe('docker login r.example.com:5000');
});
