// The network returns here (src/services/pages/facebook-login.ts). The query goes to the tab with the login, which is
// the only one that can use it. It leaves the address, so that neither history nor a reload repeats the code.
const channel = new BroadcastChannel('facebook-login')
channel.postMessage(location.search)
history.replaceState(null, '', location.pathname)
// Browsers that let the inbox open the window let it close too.
setTimeout(() => window.close(), 300)
