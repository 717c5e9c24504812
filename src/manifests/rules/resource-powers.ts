/** Resources, as `resources.group`, whose writers get more than these resources. */
export interface ResourcePowers {
  /** Resources that a controller makes pods from, with containers or volumes that the writer chooses. */
  readonly pods?: readonly string[];

  /** Resources that a controller makes virtual machines from, with labels that the writer chooses. */
  readonly machines?: readonly string[];

  /** Resources by which a controller applies what the writer names, with its own rights. */
  readonly controllers?: readonly string[];
}
