// Sets the theme and the language before the first paint. A file and not an inline script, so that the content security policy stays plain.
// The settings store keeps `data-theme` and `lang` right afterwards (components/dashboard/theme.ts, components/strings/language.ts).
(() => {
  let saved = {};
  try {
    saved = JSON.parse(localStorage.getItem("cotty.settings.v1") ?? "{}") ?? {};
  } catch {
    // Storage is blocked or damaged: follow the system.
  }
  let { theme, language } = saved;
  if (theme !== "light" && theme !== "dark" && theme !== "contrast") {
    const light = matchMedia("(prefers-color-scheme: light)").matches;
    const more = matchMedia("(prefers-contrast: more)").matches;
    theme = more ? "contrast" : light ? "light" : "dark";
  }
  if (language !== "en" && language !== "zh-CN") {
    const kinds = navigator.languages.map((one) => one.toLowerCase().split("-")[0]);
    language = kinds.find((one) => one === "en" || one === "zh") === "zh" ? "zh-CN" : "en";
  }
  document.documentElement.dataset.theme = theme;
  document.documentElement.lang = language;
})();
