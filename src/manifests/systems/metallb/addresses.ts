import { IP_ADDRESS_POOL } from './advertised-pools';
import { PREFIXES } from './annotations';
import { ManifestObject, nameOf } from '../../objects/manifest-object';
import { documents, replaced } from '../../rules/example-text';
import { Lookup } from '../../rules/manifest-index';
import { ManifestRule } from '../../rules/manifest-rule';
import { AddressRange, parseAddressRange, rangeCovers } from '../../values/address-ranges';
import { FieldPath, stringAt, stringsAt } from '../../values/fields';
import { parseIp } from '../../values/ip-address';

const POOL_TEXT = `apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: {name: tenants, namespace: metallb-system}
spec:
  addresses: [192.0.2.20-192.0.2.40]
`;
const SERVICE_TEXT = `apiVersion: v1
kind: Service
metadata:
  name: web
  namespace: shop
  annotations: {metallb.io/address-pool: tenants, metallb.io/loadBalancerIPs: 192.0.2.30}
spec:
  type: LoadBalancer
  selector: {app: web}
  ports: [{port: 80}]
`;

/** Values that stand for another one. */
const VARIABLE = /\$|\{\{|</;

/** A range of a pool; blanks around the hyphen do not count. */
export function poolRange(text: string): AddressRange | undefined {
  return parseAddressRange(text.split('-').map((part) => part.trim()).join('-'));
}

const range: ManifestRule = {
  id: 'TC-TRAP-METALLB-RANGE',
  title: 'The addresses of a pool of MetalLB must be blocks, or ranges from a first address to a last one: it takes no address of the pool otherwise.',
  source: 'metallb/metallb internal/config/config.go (ParseCIDR, addressPoolFromCR), v0.16.1',
  kinds: [IP_ADDRESS_POOL],
  trap: true,
  example: replaced(POOL_TEXT, '192.0.2.20-192.0.2.40', '192.0.2.40-192.0.2.20'),
  check: (object) => stringsAt(object, 'spec', 'addresses')
    .filter(([text]) => !VARIABLE.test(text) && (poolRange(text) === undefined || !/[-/]/.test(text))).map(([text, at]) => ({
      path: ['spec', 'addresses', at],
      message: `${JSON.stringify(text)} is neither a block nor a range of addresses in ascending order`,
      fix: 'write a block such as 192.0.2.0/28, or the first and the last address with a hyphen between them',
    })),
};

const POOLS = new Lookup([IP_ADDRESS_POOL], (pool) => [nameOf(pool)]);

const wanted: ManifestRule = {
  id: 'TC-TRAP-METALLB-ADDRESS',
  title: 'The addresses that a Service asks MetalLB for must be of the pool that it asks for: it gets none otherwise.',
  source: 'metallb/metallb controller/service.go (allocateIPs, getDesiredLbIPs), v0.16.1; issue 1916',
  kinds: ['/Service'],
  trap: true,
  example: replaced(documents(SERVICE_TEXT, POOL_TEXT), 'loadBalancerIPs: 192.0.2.30', 'loadBalancerIPs: 192.0.2.50'),
  check: (object, index) => {
    const [pool, addresses] = [annotation(object, 'address-pool'), annotation(object, 'loadBalancerIPs')];
    if (pool === undefined || addresses === undefined) return [];
    const pools = POOLS.find(index, pool.text);
    const given = pools.flatMap((one) => stringsAt(one, 'spec', 'addresses').map(([text]) => poolRange(text)));
    // An address that cannot be read is reported elsewhere.
    if (given.length === 0 || given.includes(undefined)) return [];
    const outside = addresses.text.split(',').map((text) => text.trim()).filter((text) => {
      const address = parseIp(text);
      return address && !given.some((one) => rangeCovers(one!, { family: address.family, first: address.value, last: address.value }));
    });
    return outside.length === 0 ? [] : [{
      path: addresses.path,
      message: `${outside.join(', ')} is not of the pool "${pool.text}"`,
      accepted: pools.flatMap((one) => stringsAt(one, 'spec', 'addresses').map(([text]) => text)).join(', '),
      fix: 'write an address of the pool, or name the pool that has it',
    }];
  },
};

function annotation(object: ManifestObject, name: string): { readonly text: string; readonly path: FieldPath } | undefined {
  return PREFIXES.map((prefix): FieldPath => ['metadata', 'annotations', `${prefix}${name}`])
    .flatMap((path) => { const text = stringAt(object, ...path.map(String)); return text === undefined ? [] : [{ text, path }]; })[0];
}

/** Rules over addresses. */
export const ADDRESSES: readonly ManifestRule[] = [range, wanted];
