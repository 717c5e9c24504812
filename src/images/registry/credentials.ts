/** What proves to a registry who asks: one of user and password, identity token, bearer token. */
export interface Credentials {
  readonly username?: string;
  readonly password?: string;

  /** Gets access tokens from the registry's authentication server. */
  readonly identityToken?: string;

  /** Goes to the registry as it is. */
  readonly bearerToken?: string;
}

/** Who has credentials for registries. */
export interface CredentialStore {
  /** In messages, where the credentials are kept. */
  readonly description: string;

  /**
   * Credentials for a registry.
   *
   * @param host host of the registry's API, maybe with a port
   * @returns the credentials, or undefined if there are none; rejects with a message if they could not be looked up
   */
  find(host: string): Promise<Credentials | undefined>;
}
