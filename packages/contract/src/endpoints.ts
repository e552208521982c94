import * as auth from './auth.ts';
import * as conversations from './conversations.ts';
import type { Endpoint } from './endpoint.ts';
import * as messages from './messages.ts';
import * as platform from './platform.ts';

/** Every endpoint by name: what the server must bind, exactly once each, and what the documentation lists. */
export const endpoints = {
  requestOtp: auth.requestOtp,
  verifyOtp: auth.verifyOtp,
  signOut: auth.signOut,
  currentAdmin: auth.currentAdmin,
  listSessions: auth.listSessions,
  revokeSession: auth.revokeSession,
  inbox: conversations.inbox,
  myConversations: conversations.myConversations,
  inboxStats: conversations.inboxStats,
  searchConversations: conversations.searchConversations,
  getConversation: conversations.getConversation,
  markRead: conversations.markRead,
  listMessages: messages.listMessages,
  sendMessage: messages.sendMessage,
  putFan: platform.putFan,
  postFanMessage: platform.postFanMessage,
  listFanMessages: platform.listFanMessages,
  postFanRead: platform.postFanRead,
  postFanReaction: platform.postFanReaction,
  getCreator: platform.getCreator,
} as const satisfies Record<string, Endpoint>;
