import { objectText, pair } from './examples';
import { apiValidation, boundsFault, fault, faultIf, labelFault, repetitions, subdomainFault } from './findings';
import { ManifestRule } from '../rules/manifest-rule';
import { checkDnsSubdomain } from '../values/dns';
import { FieldPath, Fields, listAt, objectsAt, stringAt, stringsAt } from '../values/fields';
import { Finding } from '../values/finding';
import { parseIp } from '../values/ip-address';
import { checkQualifiedName } from '../values/labels';

const MOST_ADDRESSES = 100;
const HIGHEST_PORT = 65535;

/** Addresses that a packet cannot be sent to from another machine (pkg/apis/core/validation/validation.go, ValidateEndpointIP). */
const LOCAL: readonly RegExp[] = [/^0\.0\.0\.0$/, /^127\./, /^169\.254\./, /^224\.0\.0\./, /^(?:0*:)+0*1?$/, /^fe[89ab]/i, /^ff.2:/i];

const slices: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-ENDPOINT-SLICE',
  title: 'Each endpoint of an EndpointSlice must have addresses of its addressType, and its ports must have unique names.',
  source: `${apiValidation('discovery')} (validateEndpoints, validatePorts)`,
  kinds: ['discovery.k8s.io/EndpointSlice'],
  example: pair((address) => objectText('discovery.k8s.io/v1', 'EndpointSlice', `addressType: IPv4\nendpoints:\n  - addresses: [${address}]\n`), 'web.example.com', '192.0.2.10'),
  check: (object) => {
    const type = stringAt(object, 'addressType');
    const ports = objectsAt(object, 'ports');
    return [
      ...objectsAt(object, 'endpoints').flatMap(([endpoint, index]) => {
        const path = ['endpoints', index, 'addresses'];
        const count = listAt(endpoint, 'addresses').length;
        return [
          ...(count === 0 || count > MOST_ADDRESSES ? [fault(path, `there are ${count} addresses`, 'write the addresses', `1 to ${MOST_ADDRESSES}`)] : []),
          ...stringsAt(endpoint, 'addresses').flatMap(([address, position]) => {
            const isRight = type === 'FQDN' ? checkDnsSubdomain(address) === undefined : parseIp(address)?.family === type;
            if (type === undefined || isRight) return type === 'FQDN' ? [] : localFault([...path, position], address);
            return [fault([...path, position], `${JSON.stringify(address)} is not of the type ${type}`, 'write another address, or another type')];
          }),
          ...labelFault(['endpoints', index, 'hostname'], endpoint.hostname),
        ];
      }),
      ...ports.flatMap(([port, index]) => [...labelFault(['ports', index, 'name'], port.name), ...protocolFault(['ports', index], port)]),
      ...repetitions(ports, ([port]) => stringAt(port, 'name'), ([, index]) => ['ports', index, 'name'], 'the name'),
    ];
  },
};

const endpoints: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-ENDPOINTS',
  title: 'Each subset of Endpoints must have addresses, which are IP addresses that other machines reach, and ports from 1 to 65535; several ports must have names.',
  source: `${apiValidation('core')} (validateEndpointSubsets)`,
  kinds: ['/Endpoints'],
  example: pair((address) => objectText('v1', 'Endpoints', `subsets:\n  - addresses: [{ip: ${address}}]\n    ports: [{port: 9100}]\n`), 'nas.example.com', '192.0.2.10'),
  check: (object) => objectsAt(object, 'subsets').flatMap(([subset, index]) => {
    const path = ['subsets', index];
    const lists = ['addresses', 'notReadyAddresses'];
    const ports = objectsAt(subset, 'ports');
    return [
      ...(lists.some((list) => listAt(subset, list).length > 0) ? [] : [fault(path, 'it has no addresses', 'write addresses')]),
      ...lists.flatMap((list) => objectsAt(subset, list).flatMap(([address, position]) => addressFaults(address, [...path, list, position]))),
      ...ports.flatMap(([port, position]) => {
        const at = [...path, 'ports', position];
        return [
          ...(ports.length > 1 && !stringAt(port, 'name') ? [fault([...at, 'name'], 'one of several ports has no name', 'name it')] : []),
          ...labelFault([...at, 'name'], port.name),
          ...boundsFault([...at, 'port'], port.port, 1, HIGHEST_PORT),
          ...protocolFault(at, port),
        ];
      }),
    ];
  }),
};

function addressFaults({ ip, hostname, nodeName }: Fields, path: FieldPath): Finding[] {
  return [
    ...(typeof ip !== 'string' || parseIp(ip) ? [] : [fault([...path, 'ip'], `${JSON.stringify(ip)} is not an IP address`, 'write the IP address')]),
    ...(typeof ip === 'string' ? localFault([...path, 'ip'], ip) : []),
    ...labelFault([...path, 'hostname'], hostname),
    ...subdomainFault([...path, 'nodeName'], nodeName),
  ];
}

function localFault(path: FieldPath, address: string): Finding[] {
  return LOCAL.some((pattern) => pattern.test(address)) ? [fault(path, `${address} is an address that no other machine reaches`, 'write another address')] : [];
}

function protocolFault(path: FieldPath, { appProtocol }: Fields): Finding[] {
  return typeof appProtocol === 'string' ? faultIf([...path, 'appProtocol'], checkQualifiedName(appProtocol), 'write a name such as https') : [];
}

/** Rules for addresses behind Services. */
export const ENDPOINTS: readonly ManifestRule[] = [slices, endpoints];
