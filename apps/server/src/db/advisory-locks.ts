/**
 * The advisory locks that are not named by what they guard: each has a number of its own in the database, the same for every
 * version. They stand together so that no two can be the same one by accident.
 */
export const ADVISORY_LOCKS = {
  /** Held by the processes that serve the installation. */
  installation: 7_238_411,
  /** Held while stored objects must stay as they are. */
  objects: 7_238_412,
  /** Held by each node that has joined. */
  joined: 7_238_413,
  /** Held by the node that joins. */
  joining: 7_238_414,
  /** Orders those who count invitations before they add some. */
  invites: 7_238_415,
  /** Orders those who count platform keys before they add one. */
  platformKeys: 7_238_416,
  /** Orders those who count templates before they add one. */
  templates: 7_238_417,
  /** Orders those who count scheduled messages before they add one. */
  scheduled: 7_238_418,
} as const;
