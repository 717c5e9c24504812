/** Port of API servers by default. */
export const API_SERVER_PORT = 6443;

/** Host and port of a tenant's API server. */
export interface ApiServerAddress {
  /** Host name or IP address. */
  readonly host: string;

  /** Port. */
  readonly port: number;
}
