// The command line of a search whose report is shown.

exports.searchArguments = function (query, games, report, dialect) {
  const inputs = games.flatMap((file) => ["-input", file]);
  const how = dialect && dialect !== "auto" ? ["-dialect", dialect] : [];
  return [...how, ...inputs, "-o", report, query];
};
