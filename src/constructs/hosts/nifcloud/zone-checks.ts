import { isRegion } from './credentials';
import { NIFCLOUD_RULES } from './rules';
import { Problem } from '../../../manifests/values/problem';
import { KubeadmNodes } from '../kubeadm-platform';

// Such as east-11: a region, such as jp-east-1, has one digit.
const ZONE = /^([a-z]{2}-)?[a-z]+-\d{2}$/;

/** docs.nifcloud.com/common/spec/spec_infomation.htm; some names omit the country, which the API requires. */
const REGIONS = ['jp-east-1', 'jp-east-2', 'jp-east-3', 'jp-east-4', 'jp-west-1', 'jp-west-2', 'us-east-1'];

/** Checks that a region is known; another rule rejects malformed names. */
export function checkKnownRegion(region: string): Problem[] {
  return REGIONS.includes(region) || !isRegion(region) ? [] : [{
    rule: NIFCLOUD_RULES.regionUnknown,
    property: 'platform.region',
    message: `"${region}" is not a known region`,
    accepted: REGIONS.join(', '),
    fix: 'correct it, unless the region is newer than this list',
  }];
}

/** Checks zones, and the nodes in them. */
export function checkZones(region: string, zones: readonly string[], { controlPlaneNodes, workers }: KubeadmNodes): Problem[] {
  const placed = [
    ...controlPlaneNodes.map(({ zone }, index) => ({ property: `controlPlaneNodes[${index}].zone`, zone })),
    ...workers.map(({ zone }, index) => ({ property: `workers[${index}].zone`, zone })),
  ];
  const names = checkNames(region, zones);
  return [
    ...names,
    ...(names.length > 0 ? [] : placed.filter(({ zone }) => zone === undefined || !zones.includes(zone)).map(({ property, zone }) => ({
      rule: NIFCLOUD_RULES.zone, property, message: zone === undefined ? 'the zone of the node is not set' : `"${zone}" is not a zone of the platform`, accepted: zones.join(', '), fix: 'name the zone of the machine, or add it to the platform',
    }))),
  ];
}

function checkNames(region: string, zones: readonly string[]): Problem[] {
  const at = { rule: NIFCLOUD_RULES.zone, property: 'platform.zones' };
  if (zones.length === 0) return [{ ...at, message: 'the list is empty', fix: 'name the zones of the nodes, such as "east-11"' }];
  return zones.flatMap((zone, index) => {
    const message = zoneFault(region, zone, zones.indexOf(zone) < index);
    return message === undefined ? [] : [{ ...at, property: `platform.zones[${index}]`, message, accepted: 'names such as "east-11"', fix: 'correct or remove it' }];
  });
}

function zoneFault(region: string, zone: string, twice: boolean): string | undefined {
  if (!ZONE.test(zone)) return `${JSON.stringify(zone)} is not the name of a zone`;
  if (twice) return `"${zone}" is there twice`;
  const own = regionOf(zone);
  return own === region || !isRegion(region) ? undefined : `"${zone}" is a zone of ${own}, but the machines are in ${region}`;
}

/** A zone is named after its region, with one more digit; Japan, the first country, may be left out. */
function regionOf(zone: string): string {
  const region = zone.slice(0, -1);
  return isRegion(region) ? region : `jp-${region}`;
}

/** Checks that a pod with a disk has another node in its zone when its node is drained. */
export function checkWorkers({ workers }: KubeadmNodes): Problem[] {
  const zones = workers.flatMap(({ zone }) => zone ?? []);
  return [...new Set(zones)].sort().filter((zone) => zones.filter((one) => one === zone).length === 1).map((zone) => ({
    rule: NIFCLOUD_RULES.zoneWorkers,
    property: 'workers',
    message: `${zone} has one worker, and a pod with a disk there cannot start in another zone`,
    accepted: 'two workers or more, or none, in each zone',
    fix: 'add a worker there, if its pods may not wait while it is drained',
  }));
}
