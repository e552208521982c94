import * as admins from './admins.ts';
import * as analytics from './analytics.ts';
import * as audit from './audit.ts';
import * as auth from './auth.ts';
import * as conversations from './conversations.ts';
import * as creator from './creator.ts';
import type { Endpoint } from './endpoint.ts';
import * as fans from './fans.ts';
import * as media from './media.ts';
import * as messages from './messages.ts';
import * as platform from './platform.ts';
import * as products from './products.ts';
import * as tags from './tags.ts';

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
  setStatus: conversations.setStatus,
  claimConversation: conversations.claimConversation,
  releaseConversation: conversations.releaseConversation,
  getNotes: fans.getNotes,
  updateNotes: fans.updateNotes,
  getTags: fans.getTags,
  replaceTags: fans.replaceTags,
  removeTag: fans.removeTag,
  getAdminFields: fans.getAdminFields,
  updateAdminFields: fans.updateAdminFields,
  listGlobalTags: tags.listGlobalTags,
  createGlobalTag: tags.createGlobalTag,
  updateGlobalTag: tags.updateGlobalTag,
  deleteGlobalTag: tags.deleteGlobalTag,
  listMessages: messages.listMessages,
  sendMessage: messages.sendMessage,
  uploadFiles: media.uploadFiles,
  listProducts: products.listProducts,
  createProduct: products.createProduct,
  updateProduct: products.updateProduct,
  deleteProduct: products.deleteProduct,
  listOffers: products.listOffers,
  listFolders: products.listFolders,
  createFolder: products.createFolder,
  updateFolder: products.updateFolder,
  deleteFolder: products.deleteFolder,
  listAdmins: admins.listAdmins,
  addAdmin: admins.addAdmin,
  updateAdminPermissions: admins.updateAdminPermissions,
  updateAdminRole: admins.updateAdminRole,
  updateAdminCodename: admins.updateAdminCodename,
  updateAdminColor: admins.updateAdminColor,
  removeAdmin: admins.removeAdmin,
  listFruits: admins.listFruits,
  listAudit: audit.listAudit,
  exportAudit: audit.exportAudit,
  getCreatorProfile: creator.getCreatorProfile,
  uploadAvatar: creator.uploadAvatar,
  updateAvatar: creator.updateAvatar,
  putFan: platform.putFan,
  postFanMessage: platform.postFanMessage,
  uploadFanFiles: platform.uploadFanFiles,
  recordPurchase: platform.recordPurchase,
  recordRefund: platform.recordRefund,
  listFanMessages: platform.listFanMessages,
  postFanRead: platform.postFanRead,
  postFanReaction: platform.postFanReaction,
  eraseFan: platform.eraseFan,
  getCreator: platform.getCreator,
  analyticsOverview: analytics.analyticsOverview,
  listSales: analytics.listSales,
  exportAnalytics: analytics.exportAnalytics,
} as const satisfies Record<string, Endpoint>;
