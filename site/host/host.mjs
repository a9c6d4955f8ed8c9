// Runs the anywidgets of a built page without a kernel. The page holds the widgets' state as JSON
// and a still picture where each stands; widget_host.py has moved every module and style sheet out
// of the state into a file beside this one.

const near = (file) => new URL(file, import.meta.url).href;

class Model {
  #listeners = [];

  constructor(record, manager) {
    this.state = record.state;
    this.kind = `${record.model_module}/${record.model_name}`;
    this.widget_manager = manager;
    for (const { path, data } of record.buffers ?? []) {
      const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
      const parent = path.slice(0, -1).reduce((value, key) => value[key], this.state);
      parent[path.at(-1)] = new DataView(bytes.buffer);
    }
  }

  get(trait) {
    return this.state[trait];
  }

  set(trait, value) {
    if (Object.is(this.state[trait], value)) return;
    this.state[trait] = value;
    for (const name of [`change:${trait}`, "change"]) {
      for (const listener of this.#listeners.filter((l) => l.name === name)) listener.hear(this, value);
    }
  }

  on(name, hear) {
    this.#listeners.push({ name, hear });
  }

  off(name, hear) {
    const stays = (l) => (name != null && l.name !== name) || (hear != null && l.hear !== hear);
    this.#listeners = this.#listeners.filter(stays);
  }

  // No kernel listens.
  save_changes() {}
  send() {}

  /** Import the widget's module and initialize the model; once, however many places show it. */
  ready() {
    return (this.#ready ??= this.#start());
  }
  #ready;

  async #start() {
    const css = this.get("_css");
    if (css) addLink("stylesheet", near(css));
    const module = await import(near(this.get("_esm")));
    const exported = module.render ? module : module.default;
    const widget = typeof exported === "function" ? await exported() : exported;
    tidyLater(await widget.initialize?.(this.#context()));
    return widget;
  }

  async render(el) {
    const widget = await this.ready();
    tidyLater(await widget.render({ ...this.#context(), el }));
  }

  #context() {
    const invoke = () => Promise.reject(new Error("this page has no kernel to ask"));
    return { model: this, experimental: { invoke }, signal: leaving.signal };
  }
}

const leaving = new AbortController();
addEventListener("pagehide", (event) => event.persisted || leaving.abort());

function tidyLater(cleanup) {
  if (typeof cleanup === "function") leaving.signal.addEventListener("abort", cleanup);
}

function addLink(rel, href) {
  if (document.querySelector(`link[href="${href}"]`)) return;
  document.head.append(Object.assign(document.createElement("link"), { rel, href }));
}

/** jslink and jsdlink: [["IPY_MODEL_<id>", trait], ...] */
function connect(link, models, bothWays) {
  const [from, to] = ["source", "target"].map((end) => {
    const [reference, trait] = link.get(end);
    return { model: models.get(reference.replace("IPY_MODEL_", "")), trait };
  });
  if (!from.model || !to.model) return;
  const pass = (a, b) => b.model.set(b.trait, a.model.get(a.trait));
  from.model.on(`change:${from.trait}`, () => pass(from, to));
  if (bothWays) to.model.on(`change:${to.trait}`, () => pass(to, from));
  pass(from, to);
}

async function enliven(stage, model) {
  const el = Object.assign(document.createElement("div"), { className: "pe-live" });
  stage.append(el);
  try {
    await model.render(el);
    stage.classList.add("pe-alive");
  } catch (error) {
    el.remove();
    console.error("This figure could not start; its still picture stays.", error);
  }
}

function start(records) {
  const models = new Map();
  const manager = {
    async get_model(id) {
      const model = models.get(id);
      if (!model) throw new Error(`this page has no widget model ${id}`);
      if (model.kind === "anywidget/AnyModel") await model.ready();
      return model;
    },
  };
  for (const [id, record] of Object.entries(records)) models.set(id, new Model(record, manager));
  for (const model of models.values()) {
    // Modules come while the page is read; a figure that is asked for then need not wait for one.
    if (model.get("_esm")) addLink("modulepreload", near(model.get("_esm")));
    if (model.kind === "@jupyter-widgets/controls/LinkModel") connect(model, models, true);
    if (model.kind === "@jupyter-widgets/controls/DirectionalLinkModel") connect(model, models, false);
  }
  const nearing = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        nearing.unobserve(target);
        enliven(target, models.get(target.dataset.modelId));
      }
    },
    { rootMargin: "600px" },
  );
  for (const stage of document.querySelectorAll(".pe-stage")) nearing.observe(stage);
}

const state = document.querySelector('script[type="application/vnd.jupyter.widget-state+json"]');
// Once all is there and the browser has time: the page is read before it is played with.
const begin = () => start(JSON.parse(state.textContent).state);
const idle = globalThis.requestIdleCallback ?? setTimeout; // Safari has none
if (state) addEventListener("load", () => idle(begin, { timeout: 1000 }));
