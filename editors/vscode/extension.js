// The extension for VS Code: it starts the language server, and searches with a query.

const vscode = require("vscode");
const { execFile } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { LanguageClient } = require("vscode-languageclient/node");
const { searchArguments } = require("./search");

let client;

function setting(name) {
  return vscode.workspace.getConfiguration("cql").get(name);
}

function start() {
  const server = { command: setting("path") || "cql", args: ["lsp"] };
  client = new LanguageClient("cql", "CQL", server, {
    documentSelector: [{ language: "cql" }],
    initializationOptions: {
      dialect: setting("dialect"),
      warnDeprecated: setting("warnDeprecated"),
    },
    synchronize: { configurationSection: "cql" },
  });
  return client.start().catch((error) => {
    vscode.window.showErrorMessage(
      `The program cql could not be started as a language server: ${error.message}. ` +
        "Install it, or name it in the setting cql.path."
    );
  });
}

async function restart() {
  await client?.stop().catch(() => {});
  await start();
}

// Explanations of queries, shown as read-only documents.
const MEANING = "cql-meaning";
const meanings = new Map();
const changed = new vscode.EventEmitter();

// Shows the query in words, beside the editor.
async function explain() {
  const document = vscode.window.activeTextEditor?.document;
  if (!document) return;
  try {
    const meaning = await client.sendRequest("workspace/executeCommand", {
      command: "cql.explain",
      arguments: [client.code2ProtocolConverter.asUri(document.uri)],
    });
    const uri = vscode.Uri.from({ scheme: MEANING, path: `/${path.basename(document.fileName)} in words` });
    meanings.set(uri.toString(), meaning);
    changed.fire(uri);
    const shown = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(shown, vscode.ViewColumn.Beside, true);
  } catch (error) {
    vscode.window.showWarningMessage(error.message);
  }
}

// Searches games with the query in the editor, even if it is not saved, and shows the report.
async function run(context) {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return;
  const games = await vscode.window.showOpenDialog({
    canSelectMany: true,
    title: "Games to search",
    filters: { Games: ["pgn", "gz", "bz2", "zst", "xz", "lz4", "zip", "tar", "tgz", "7z", "cbh", "cbv", "si4", "si5", "parquet"], "All files": ["*"] },
    defaultUri: context.workspaceState.get("games") && vscode.Uri.file(context.workspaceState.get("games")),
  });
  if (!games?.length) return;
  context.workspaceState.update("games", path.dirname(games[0].fsPath));
  const place = fs.mkdtempSync(path.join(os.tmpdir(), "cql-"));
  const query = path.join(place, "query.cql");
  const report = path.join(place, "report.html");
  fs.writeFileSync(query, editor.document.getText());
  const directory = editor.document.uri.scheme === "file" ? path.dirname(editor.document.uri.fsPath) : place;
  const progress = {
    location: vscode.ProgressLocation.Notification,
    title: "Searching games",
    cancellable: true,
  };
  const found = await vscode.window.withProgress(progress, (_, cancellation) =>
    new Promise((resolve) => {
      const files = games.map((uri) => uri.fsPath);
      const search = searchArguments(query, files, report, setting("dialect"));
      const options = { cwd: directory, maxBuffer: 1 << 26 };
      const child = execFile(setting("path") || "cql", search, options, (error, out, err) =>
        resolve({ error, out, err })
      );
      cancellation.onCancellationRequested(() => child.kill());
    })
  );
  if (found.error) {
    if (found.error.signal) return;
    const lines = (found.out + found.err).trim().split("\n");
    vscode.window.showErrorMessage(lines.find((line) => line.startsWith("error")) ?? found.error.message);
    return;
  }
  const panel = vscode.window.createWebviewPanel("cql.report", "Games found", vscode.ViewColumn.Beside, {
    enableScripts: true,
    retainContextWhenHidden: true,
  });
  panel.webview.html = fs.readFileSync(report, "utf8");
  fs.rmSync(place, { recursive: true, force: true });
}

exports.activate = function (context) {
  const command = vscode.commands.registerCommand;
  const provider = {
    onDidChange: changed.event,
    provideTextDocumentContent: (uri) => meanings.get(uri.toString()),
  };
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider(MEANING, provider),
    command("cql.run", () => run(context)),
    command("cql.explainQuery", explain),
    command("cql.restart", restart)
  );
  return start();
};

exports.deactivate = function () {
  return client?.stop();
};
