// The part of the embedded fan client that runs on the platform's page. It creates the iframe, turns the client's messages into
// DOM events on the target element, and passes command events to the client. docs/embedding.md documents the protocol.
(() => {
  const script = document.currentScript;
  const { origin } = new URL(script.src);
  const NOTICES = [
    'ready',
    'unread',
    'purchase-requested',
    'tip-requested',
    'session-expired',
    'navigate',
  ];
  const COMMANDS = ['session', 'purchase-settled'];

  const isOurs = (url) => URL.canParse(url) && new URL(url).origin === origin;

  function embed() {
    const { sessionUrl, target: selector, title = 'Messages' } = script.dataset;
    const target = document.querySelector(selector);
    if (target === null) throw new Error(`stagedoor: there is no ${selector} on this page`);
    if (!isOurs(sessionUrl)) throw new Error(`stagedoor: data-session-url is not below ${origin}`);

    const frame = document.createElement('iframe');
    frame.title = title;
    frame.allow = 'clipboard-write';
    frame.referrerPolicy = 'no-referrer';
    frame.style.cssText = 'display:block;width:100%;height:100%;min-height:320px;border:0';
    frame.src = sessionUrl;

    // Commands that the page sends before the client is ready.
    let waiting = [];
    const post = (message) => frame.contentWindow.postMessage(message, origin);

    window.addEventListener('message', ({ source, origin: from, data }) => {
      if (source === null || source !== frame.contentWindow || from !== origin) return;
      if (data?.stagedoor !== 1 || !NOTICES.includes(data.type)) return;
      const { stagedoor: _version, type, ...detail } = data;
      if (type === 'ready') {
        for (const message of waiting ?? []) post(message);
        waiting = null;
      }
      const name = `stagedoor:${type}`;
      const goOn = target.dispatchEvent(
        new CustomEvent(name, { detail, bubbles: true, cancelable: true }),
      );
      if (type === 'navigate' && goOn && /^https?:/.test(detail.url)) location.assign(detail.url);
    });

    for (const type of COMMANDS) {
      target.addEventListener(`stagedoor:${type}`, ({ detail }) => {
        if (type === 'session' && !isOurs(detail?.url)) return;
        const message = { ...detail, stagedoor: 1, type };
        if (waiting === null) post(message);
        else waiting.push(message);
      });
    }
    target.replaceChildren(frame);
  }

  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', embed);
  else embed();
})();
