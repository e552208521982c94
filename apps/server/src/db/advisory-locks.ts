/**
 * The constant keys of advisory locks; other locks derive their key from a text, such as an id. They must not change between
 * versions. A single list, so that no key is used twice.
 */
export const ADVISORY_LOCKS = {
  /** Held by the processes that serve the installation. */
  installation: 7_238_411,
  /** Held while stored objects must not be deleted. */
  objects: 7_238_412,
  joined: 7_238_413,
  /** Held by a node while it joins. */
  joining: 7_238_414,
  invites: 7_238_415,
  platformKeys: 7_238_416,
  templates: 7_238_417,
  scheduled: 7_238_418,
  /** Serializes creating the function that stores a message. */
  sendFunction: 7_238_419,
  /** Serializes counting and adding segments. */
  segments: 7_238_420,
  /** Serializes everything that adds to the ledger of earnings. */
  earnings: 7_238_450,
  /** Serializes changes to the plan of shifts. */
  shifts: 7_238_430,
} as const;
