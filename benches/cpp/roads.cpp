// Shortest ways in a road network by the C++ libraries LEMON and Boost.Graph, for benches/peers.rs.
//
// usage: roads FILE
//
// The file holds numbers, in this order: nodes, arcs, pairs; of each node its longitude and latitude in millionths of
// a degree; of each arc, sorted by tail, its tail, head and weight; of each pair its two nodes. Nodes are counted from
// 0. The factor of the estimate follows.
//
// The program prints the names of the searches that it can do, on one line. Then, for every name that it reads, it
// searches all pairs and prints the processor time in nanoseconds and all distances.
//
// Both libraries are called as their documentation shows it, in the graph types that suit the task best: the memory of a
// search is allocated once, arcs lie side by side where there is such a graph, and a search ends at its target.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#if __has_include(<lemon/dijkstra.h>) && __has_include(<lemon/static_graph.h>)
#define HAS_LEMON 1
#include <lemon/bin_heap.h>
#include <lemon/dijkstra.h>
#include <lemon/quad_heap.h>
#include <lemon/static_graph.h>
#endif

#if __has_include(<boost/graph/dijkstra_shortest_paths.hpp>)
#define HAS_BOOST 1
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/astar_search.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#endif

namespace {

struct Place {
    double x, y, z;
};

struct Network {
    std::vector<Place> places;
    std::vector<std::pair<int, int>> arcs;
    std::vector<int> weights;
    std::vector<std::pair<int, int>> pairs;
    double factor = 0;

    int nodes() const { return static_cast<int>(places.size()); }
};

// The direction from the centre of the Earth, for coordinates in millionths of a degree.
Place direction(double longitude, double latitude) {
    const double degree = std::acos(-1.0) / 180.0e6;
    const double across = std::cos(latitude * degree);
    return {across * std::cos(longitude * degree), across * std::sin(longitude * degree), std::sin(latitude * degree)};
}

Network read(const char* path) {
    Network network;
    std::FILE* file = std::fopen(path, "r");
    long nodes = 0, arcs = 0, pairs = 0;
    bool is_right = file != nullptr && std::fscanf(file, "%ld %ld %ld", &nodes, &arcs, &pairs) == 3;
    network.places.resize(nodes);
    network.arcs.resize(arcs);
    network.weights.resize(arcs);
    network.pairs.resize(pairs);
    for (Place& place : network.places) {
        double longitude = 0, latitude = 0;
        is_right = is_right && std::fscanf(file, "%lf %lf", &longitude, &latitude) == 2;
        place = direction(longitude, latitude);
    }
    for (long arc = 0; arc < arcs; ++arc) {
        auto& [tail, head] = network.arcs[arc];
        is_right = is_right && std::fscanf(file, "%d %d %d", &tail, &head, &network.weights[arc]) == 3;
    }
    for (auto& [from, to] : network.pairs) {
        is_right = is_right && std::fscanf(file, "%d %d", &from, &to) == 2;
    }
    is_right = is_right && std::fscanf(file, "%lf", &network.factor) == 1;
    if (!is_right) {
        std::fprintf(stderr, "%s cannot be read\n", path);
        std::exit(2);
    }
    std::fclose(file);
    return network;
}

// The same estimate as that of the library: a lower bound on the great-circle distance, by the first terms of the
// series of the angle in the chord.
int estimate(const Place& from, const Place& to, double factor) {
    const double x = from.x - to.x, y = from.y - to.y, z = from.z - to.z;
    const double square = (x * x + y * y + z * z) / 4.0;
    const double series = 1.0 + square * (1.0 / 6.0 + square * (3.0 / 40.0 + square * (15.0 / 336.0)));
    const double metres = 2.0 * 6371000.0 * std::sqrt(square) * series;
    const double whole = metres * factor * (1.0 - 1e-9) - 1e-6;
    return whole > 0 ? static_cast<int>(whole) : 0;
}

// A search of all pairs: their distances.
using Search = std::function<std::vector<std::int64_t>()>;
using Searches = std::map<std::string, Search>;

#ifdef HAS_LEMON

void add_lemon(const Network& network, Searches& searches) {
    using Graph = lemon::StaticDigraph;
    using Weights = Graph::ArcMap<int>;
    using Places = Graph::NodeMap<int>;
    static Graph graph;
    graph.build(network.nodes(), network.arcs.begin(), network.arcs.end());
    static Weights weights(graph);
    for (int arc = 0; arc < graph.arcNum(); ++arc) {
        weights[graph.arc(arc)] = network.weights[arc];
    }
    const auto by = [&network](auto& dijkstra) {
        return [&network, &dijkstra] {
            std::vector<std::int64_t> distances;
            for (const auto& [from, to] : network.pairs) {
                dijkstra.init();
                dijkstra.addSource(graph.node(from));
                dijkstra.start(graph.node(to));
                distances.push_back(dijkstra.dist(graph.node(to)));
            }
            return distances;
        };
    };
    using Plain = lemon::Dijkstra<Graph, Weights>;
    static Plain::SetStandardHeap<lemon::BinHeap<int, Places>>::Create binary(graph, weights);
    static Plain::SetStandardHeap<lemon::QuadHeap<int, Places>>::Create quad(graph, weights);
    searches["lemon-binary"] = by(binary);
    searches["lemon-quad"] = by(quad);
}

#endif

#ifdef HAS_BOOST

struct Arrived {};

// Ends a search of Boost when it comes to the target, as there is no other way to do it.
template <class Vertex>
struct UntilTarget : boost::default_dijkstra_visitor {
    Vertex target;
    explicit UntilTarget(Vertex target) : target(target) {}
    template <class Graph>
    void examine_vertex(Vertex vertex, const Graph&) const {
        if (vertex == target) throw Arrived{};
    }
};

template <class Vertex>
struct UntilTargetByEstimate : boost::default_astar_visitor {
    Vertex target;
    explicit UntilTargetByEstimate(Vertex target) : target(target) {}
    template <class Graph>
    void examine_vertex(Vertex vertex, const Graph&) const {
        if (vertex == target) throw Arrived{};
    }
};

template <class Graph>
class Estimate : public boost::astar_heuristic<Graph, int> {
    const Network& network;
    Place target;

   public:
    Estimate(const Network& network, int target) : network(network), target(network.places[target]) {}
    template <class Vertex>
    int operator()(Vertex vertex) const {
        return estimate(network.places[vertex], target, network.factor);
    }
};

// The searches of one graph, whose arcs have their weights in this map.
template <class Graph, class Weights>
void add_boost_graph(const Network& network, const Graph& graph, Weights weights, const std::string& name,
                     Searches& searches) {
    using Vertex = typename boost::graph_traits<Graph>::vertex_descriptor;
    static std::vector<int> distance(network.nodes()), cost(network.nodes());
    static std::vector<Vertex> parent(network.nodes());
    static std::vector<boost::default_color_type> colour(network.nodes());
    const auto index = get(boost::vertex_index, graph);
    const auto distances = boost::make_iterator_property_map(distance.begin(), index);
    const auto costs = boost::make_iterator_property_map(cost.begin(), index);
    const auto parents = boost::make_iterator_property_map(parent.begin(), index);
    const auto colours = boost::make_iterator_property_map(colour.begin(), index);
    searches[name] = [=, &network, &graph] {
        std::vector<std::int64_t> found;
        for (const auto& [from, to] : network.pairs) {
            try {
                boost::dijkstra_shortest_paths(graph, static_cast<Vertex>(from),
                                               boost::weight_map(weights)
                                                   .vertex_index_map(index)
                                                   .distance_map(distances)
                                                   .predecessor_map(parents)
                                                   .color_map(colours)
                                                   .visitor(UntilTarget<Vertex>(to)));
            } catch (const Arrived&) {
            }
            found.push_back(distance[to]);
        }
        return found;
    };
    searches[name + "-astar"] = [=, &network, &graph] {
        std::vector<std::int64_t> found;
        for (const auto& [from, to] : network.pairs) {
            try {
                boost::astar_search(graph, static_cast<Vertex>(from), Estimate<Graph>(network, to),
                                    boost::weight_map(weights)
                                        .vertex_index_map(index)
                                        .distance_map(distances)
                                        .rank_map(costs)
                                        .predecessor_map(parents)
                                        .color_map(colours)
                                        .visitor(UntilTargetByEstimate<Vertex>(to)));
            } catch (const Arrived&) {
            }
            found.push_back(distance[to]);
        }
        return found;
    };
}

struct Road {
    int weight;
};

void add_boost(const Network& network, Searches& searches) {
    using Rows = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, Road>;
    std::vector<Road> roads;
    for (const int weight : network.weights) roads.push_back({weight});
    static const Rows rows(boost::edges_are_sorted, network.arcs.begin(), network.arcs.end(), roads.begin(),
                           network.nodes());
    add_boost_graph(network, rows, get(&Road::weight, rows), "boost-csr", searches);

    using Lists = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                                        boost::property<boost::edge_weight_t, int>>;
    static const Lists lists(network.arcs.begin(), network.arcs.end(), network.weights.begin(), network.nodes());
    add_boost_graph(network, lists, get(boost::edge_weight, lists), "boost-list", searches);
}

#endif

std::int64_t processor_time() {
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        std::fprintf(stderr, "usage: roads FILE\n");
        return 2;
    }
    const Network network = read(arguments[1]);
    Searches searches;
#ifdef HAS_LEMON
    add_lemon(network, searches);
#endif
#ifdef HAS_BOOST
    add_boost(network, searches);
#endif
    for (const auto& search : searches) std::cout << search.first << ' ';
    std::cout << std::endl;
    for (std::string name; std::cin >> name;) {
        const auto search = searches.find(name);
        if (search == searches.end()) {
            std::fprintf(stderr, "no search is called %s\n", name.c_str());
            return 2;
        }
        const std::int64_t began = processor_time();
        const auto distances = search->second();
        std::cout << processor_time() - began;
        for (const auto distance : distances) std::cout << ' ' << distance;
        std::cout << std::endl;
    }
}
