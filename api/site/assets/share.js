/**
 * The button that shares a page: the device's own dialog where there is one, otherwise the address is copied. It is shown only with
 * this script.
 */
import { say } from "./watched.js";

/** The page's own address, without what was asked of it. */
function addressOfPage() {
  const link = document.querySelector("link[rel=canonical]");
  return link instanceof HTMLLinkElement ? link.href : location.href;
}

async function share() {
  const url = addressOfPage();
  const shared = { title: document.title, url };
  if (navigator.canShare?.(shared)) {
    try {
      return await navigator.share(shared);
    } catch (error) {
      // The reader has closed the dialog.
      if (error instanceof DOMException && error.name === "AbortError") return;
    }
  }
  try {
    await navigator.clipboard.writeText(url);
    say("Link copied");
  } catch {
    say(`This browser does not let pages copy. The link: ${url}`);
  }
}

if (document.querySelector(".share-button") !== null) {
  document.documentElement.classList.add("can-share");
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest(".share-button")) void share();
  });
}
