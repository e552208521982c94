/**
 * Fixed keys of the advisory locks that aren't derived from what they guard. They must not change between versions. Kept in one
 * list so that no key is used twice.
 */
export const ADVISORY_LOCKS = {
  /** Held by the processes that serve the installation. */
  installation: 7_238_411,
  /** Held while stored objects must not be deleted. */
  objects: 7_238_412,
  /** Held by each node that has joined. */
  joined: 7_238_413,
  /** Held by a node while it joins. */
  joining: 7_238_414,
  /** Serializes counting and adding invitations. */
  invites: 7_238_415,
  /** Serializes counting and adding platform keys. */
  platformKeys: 7_238_416,
  /** Serializes counting and adding templates. */
  templates: 7_238_417,
  /** Serializes counting and adding scheduled messages. */
  scheduled: 7_238_418,
  /** Serializes creating the function that stores a message. */
  sendFunction: 7_238_419,
  /** Serializes counting and adding segments. */
  segments: 7_238_420,
} as const;
