/** Lowest port of NodePort Services, unless the API server was told otherwise. */
export const LOWEST_NODE_PORT = 30000;

/** Highest port of NodePort Services, unless the API server was told otherwise. */
export const HIGHEST_NODE_PORT = 32767;

/** True if a port is one that NodePort Services may have. */
export function isNodePort(port: number): boolean {
  return Number.isInteger(port) && port >= LOWEST_NODE_PORT && port <= HIGHEST_NODE_PORT;
}
