/** Host and port of a tenant's API server. */
export interface ApiServerAddress {
  /** Host name or IP address. */
  readonly host: string;

  /** Port. */
  readonly port: number;
}
