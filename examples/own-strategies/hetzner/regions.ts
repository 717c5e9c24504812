/** Network zones of the regions. Source: syself/cluster-api-provider-hetzner api/v1beta1/hetznercluster_webhook.go (regionNetworkZoneMap). */
const ZONES: Readonly<Record<string, string>> = {
  fsn1: 'eu-central', nbg1: 'eu-central', hel1: 'eu-central', ash: 'us-east', hil: 'us-west', sin: 'ap-southeast',
};

/** Returns the network zone of a region; undefined for an unknown one. */
export function zoneOf(region: string | undefined): string | undefined {
  return region !== undefined && Object.hasOwn(ZONES, region) ? ZONES[region] : undefined;
}

/** Returns the regions in the network zone of a region, itself included; undefined for an unknown one. */
export function regionsBeside(region: string | undefined): string[] | undefined {
  const zone = zoneOf(region);
  return zone === undefined ? undefined : Object.keys(ZONES).filter((other) => ZONES[other] === zone);
}
